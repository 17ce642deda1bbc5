import type { Dispatcher } from 'undici';

/** One request by `dispatch`, undici's cheapest way. */
export function exchange(to: Dispatcher, options: Dispatcher.DispatchOptions) {
  return new Promise<{ status: number; body: Buffer }>((resolve, reject) => {
    const parts: Uint8Array[] = [];
    let status = 0;
    to.dispatch(options, {
      onRequestStart: () => undefined,
      onResponseStart: (_, statusCode) => void (status = statusCode),
      onResponseData: (_, part) => void parts.push(part),
      onResponseEnd: () => resolve({ status, body: Buffer.concat(parts) }),
      onResponseError: (_, error) => reject(error),
    });
  });
}
