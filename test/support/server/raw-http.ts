import { connect, type Socket } from 'node:net';

/** A socket for requests that no well-behaved client sends. */
export async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  return socket;
}

/** Sends bytes as they are and gives all that comes back until the other side closes. */
export async function sendRaw(port: number, text: string): Promise<string> {
  const socket = await openSocket(port);
  socket.write(text);
  return readAll(socket);
}

export function readAll(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let all = '';
    socket.on('data', (part) => (all += part.toString('latin1')));
    socket.on('end', () => resolve(all));
    socket.on('error', reject);
  });
}

/** Waits until nobody takes connections at a port. */
export async function untilRefused(port: number): Promise<void> {
  for (;;) {
    try {
      (await openSocket(port)).destroy();
    } catch {
      return;
    }
  }
}
