import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { listenOnFreePort } from './free-port.ts';

/**
 * Stands between two programs, as a network does: it can be cut and mended. It ends with the running test.
 *
 * @param target the port on this machine that it passes connections on to
 */
export async function startRelay(target: number) {
  const pairs = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket) => {
    pairs.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => pairs.delete(socket));
  };
  const server = createServer({ allowHalfOpen: true }, (near) => {
    keep(near);
    if (isCut) return void near.pause();
    const far = connect({ port: target, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    near.setNoDelay(true);
    keep(far);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.pipe(other);
      // What breaks off on one side breaks off on the other, unless nobody may hear of it.
      one.on('close', () => void (isCut || other.destroy()));
    }
  });
  const port = await listenOnFreePort(server);
  const reset = () => {
    for (const socket of pairs) socket.destroy();
  };
  onTestFinished(() => {
    server.close();
    reset();
  });
  return {
    port,
    /** From now on nothing passes and nobody is told: connections stay open, new ones are accepted, and all is silent. */
    cut() {
      isCut = true;
      for (const socket of pairs) socket.unpipe().pause();
    },
    /** New connections pass again. Those from before are reset. */
    mend() {
      isCut = false;
      reset();
    },
  };
}
