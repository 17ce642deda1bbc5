import { expect, test } from 'vitest';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { ask, credentialsOf, password } from '../../support/bff/browser.ts';
import { subscriber } from '../../support/bff/canned.ts';
import { clientSecret } from '../../support/bff/upstream.ts';
import { closedRoutes, everyRoute } from '../../support/bff/routes.ts';

/** Ways in which the service may behave, with secrets in all its texts. */
const echo = () => `${clientSecret} canary-bearer-1 ${subscriber.accessToken}`;
const behaviours: Record<string, (bff: TestDesk) => void | Promise<void>> = {
  well: () => undefined,
  'failing with its words': ({ upstream }) => {
    upstream.operation = () => new Response(echo(), { status: 500, headers: { 'X-Debug': echo() } });
  },
  'throwing its words': ({ upstream }) => {
    upstream.operation = () => Promise.reject(new Error(echo()));
  },
  'refusing the client with its words': ({ upstream }) => {
    upstream.token = () => Response.json({ error: echo() }, { status: 401 });
  },
  'well, and our own tables broken': async ({ db }) => {
    await db.schema.dropTable('sign_in_attempts').execute();
  },
};

/** All that was logged and all that was answered, with what must not be in it. */
async function useEverything(behave: (bff: TestDesk) => void | Promise<void>) {
  const bff = await createTestDesk({ service: 'canned' });
  // Nobody works on the job that is made: while the service fails it would try again without end, as no time passes here.
  await bff.stop();
  const cookies: string[] = [];
  // These end the other sessions of their account, which the other routes still need.
  const accounts: Record<string, string> = { changePassword: 'support', endOtherSessions: 'viewer' };
  for (const { name } of closedRoutes) cookies.push((await bff.signIn(accounts[name] ?? 'manager')).cookie());
  await behave(bff);
  const answers: string[] = [];
  for (const { method, path, body, name } of everyRoute) {
    const Cookie = cookies[closedRoutes.findIndex((route) => route.name === name)] ?? '';
    const response = await bff.fetch(
      ask(method, `${path}?AccessToken=${subscriber.accessToken}`, { body, headers: { Cookie } }),
    );
    const headers = [...response.headers].filter(([header]) => header !== 'set-cookie');
    answers.push(JSON.stringify(headers) + (await response.text()));
  }
  await bff.fetch(
    ask('POST', '/bff/session', { body: { ...credentialsOf('canary-username'), password: 'canary-wrong' } }),
  );
  const find = { accessToken: subscriber.accessToken };
  await bff.fetch(ask('POST', '/bff/find-by-token', { body: find, headers: { Cookie: cookies[0] ?? '' } }));
  const sessionIds = cookies.map((cookie) => cookie.replace('desk=', ''));
  return { logged: JSON.stringify(bff.logs), answered: answers.join('\n'), sessionIds };
}

test.each(Object.entries(behaviours))(
  'no secret is logged or answered with the service %s',
  async (_, behave) => {
    const { logged, answered, sessionIds } = await useEverything(behave);
    for (const secret of [clientSecret, 'canary-bearer', password, 'canary-wrong', ...sessionIds])
      expect(logged + answered).not.toContain(secret);
    expect(logged).not.toContain('canary');
    expect(logged).not.toContain('example.com');
  },
);
