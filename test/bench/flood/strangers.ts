/** The process that attacks: connections that each send hundreds of requests in one write and never read an answer. */
import { connect } from 'node:net';

export interface Flood {
  port: number;
  path: string;
  connections: number;
  /** Milliseconds after which a connection is given up and opened anew. */
  stay: number;
}

process.on('message', ({ port, path, connections, stay }: Flood) => {
  const requests = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`.repeat(900);
  const attack = () => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.pause();
    socket.on('connect', () => {
      socket.write(requests);
      setTimeout(() => socket.destroy(), stay);
    });
    socket.on('error', () => {});
    socket.on('close', () => setTimeout(attack, 5));
  };
  for (let number = 0; number < connections; number += 1) attack();
  process.send?.('begun');
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
