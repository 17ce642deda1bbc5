import { expect, test } from 'vitest';
import { createTestDesk, type TestDesk } from '../../support/desk.ts';
import { password } from '../../support/bff/browser.ts';
import { subscriber } from '../../support/bff/canned.ts';
import { trySignIn } from '../../support/bff/person.ts';
import { clientSecret } from '../../support/bff/upstream.ts';
import { everyRoute } from '../../support/bff/routes.ts';

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
    await db.schema.dropTable('attempts').execute();
  },
};

/** All that was logged and all that was answered, with the ids of the sessions. */
async function useEverything(behave: (bff: TestDesk) => void | Promise<void>) {
  const bff = await createTestDesk({ service: 'canned' });
  // Nobody works on the job that is made: while the service fails it would try again without end, as no time passes here.
  await bff.stop();
  const [manager, leaving] = [await bff.signIn('manager'), await bff.signIn('support')];
  const cookies = new Set([manager.cookie(), leaving.cookie()]);
  await behave(bff);
  const answers: string[] = [];
  for (const { method, path, body, name } of everyRoute) {
    const person = name === 'signOut' ? leaving : manager;
    const response = await person.ask(method, `${path}?AccessToken=${subscriber.accessToken}`, body);
    const headers = [...response.headers].filter(([header]) => header !== 'set-cookie');
    answers.push(JSON.stringify(headers) + (await response.text()));
    // A sign-in and another password give another one.
    cookies.add(person.cookie());
  }
  await trySignIn(bff, 'canary-username', { password: 'canary-wrong' });
  await manager.ask('POST', '/bff/find-by-token', { accessToken: subscriber.accessToken });
  const sessionIds = [...cookies].map((cookie) => cookie.replace('desk=', '')).filter((id) => id !== '');
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
