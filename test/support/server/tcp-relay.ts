import { connect, createServer, type Socket } from 'node:net';
import { listenOnFreePort } from './free-port.ts';

/** Stands between two programs, as a network does: it can be cut and mended. */
export interface Relay {
  port: number;
  /** From now on nothing passes and nobody is told: connections stay open, new ones are accepted, and all is silent. */
  cut: () => void;
  /** New connections pass again. Those from before are reset. */
  mend: () => void;
  close: () => Promise<void>;
}

/** @param target the port on this machine that it passes connections on to */
export async function startRelay(target: number): Promise<Relay> {
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
  return {
    port,
    cut() {
      isCut = true;
      for (const socket of pairs) socket.unpipe().pause();
    },
    mend() {
      isCut = false;
      for (const socket of pairs) socket.destroy();
    },
    async close() {
      for (const socket of pairs) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
