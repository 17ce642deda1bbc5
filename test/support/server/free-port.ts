import { createServer, type Server } from 'node:net';

/** Listens on loopback at any free port, and gives its number. */
export async function listenOnFreePort(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  return address !== null && typeof address === 'object' ? address.port : 0;
}

/** A port on which nothing listens. */
export async function unusedPort(): Promise<number> {
  const server = createServer();
  const port = await listenOnFreePort(server);
  await new Promise((resolve) => server.close(resolve));
  return port;
}
