import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { text as readAll } from 'node:stream/consumers';

/** A socket for requests that no well-behaved client sends. */
export async function openSocket(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** Sends bytes as they are and gives all that comes back until the other side closes. */
export async function sendRaw(port: number, text: string): Promise<string> {
  const socket = await openSocket(port);
  socket.write(text);
  return readAll(socket);
}

export { readAll };
