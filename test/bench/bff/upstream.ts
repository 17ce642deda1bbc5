/** The service behind all subjects: always the same page of subscribers, of 12 KB, and a token. */
import { createServer } from 'node:http';
import * as z from 'zod/mini';
import { SubscriberPage } from '../../../src/contract/service/list-query.ts';
import { createSeededRandom } from '../../../src/service/samples/seeded-random.ts';
import { inventUsernames, inventSubscriber } from '../../../src/service/samples/subscriber.ts';
import { listenOnFreePort } from '../../support/server/free-port.ts';
import { say } from '../report.ts';

const page = Buffer.from(JSON.stringify(inventPage(42)));
const token = JSON.stringify({ access_token: 'bench', token_type: 'Bearer', expires_in: 3600 });

const server = createServer((request, response) => {
  const body = request.url === '/oauth/token' ? token : page;
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': body.length });
  response.end(body);
});
say(`It is running at http://127.0.0.1:${await listenOnFreePort(server)}`);

/** Subscribers as the service's samples are, each about 280 bytes. */
function inventPage(pageSize: number): SubscriberPage {
  const seeded = createSeededRandom(1);
  const now = Date.parse('2026-01-01T00:00:00Z');
  const items = inventUsernames(seeded, pageSize).map((username, index) => ({
    id: index + 1,
    accessToken: Buffer.from(seeded.bytes(32)).toString('base64url'),
    ...inventSubscriber(seeded, username, now),
    status: 1,
  }));
  return z.parse(SubscriberPage, { items, page: 1, pageSize, totalCount: 2000, totalPages: 59 });
}
