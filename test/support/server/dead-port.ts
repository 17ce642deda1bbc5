import { createServer } from 'node:net';

/** A port at which nobody listens. */
export function deadPort(): Promise<string> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address();
      const port = address !== null && typeof address === 'object' ? address.port : 0;
      probe.close(() => resolve(String(port)));
    });
  });
}
