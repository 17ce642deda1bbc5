import { CannotStart } from '../cannot-start.ts';
import { clock, random } from '../runtime.ts';
import { reachService } from '../reach-service.ts';
import type { Command } from './command.ts';
import { examineUpstream } from './examine-upstream.ts';

/** `npm run desk -- check-upstream`: tries the service that the configuration names, and changes nothing there. */
export const checkUpstream: Command = async ({ config, say }) => {
  if (!config.upstream)
    throw new CannotStart(
      'Set UPSTREAM_URL and what belongs to it: without it the desk runs its own service.',
    );
  const { url } = config.upstream;
  const { protocol, hostname } = new URL(url);
  say(`Trying ${url}. Nothing is changed there.`);
  if (protocol === 'http:' && !['localhost', '127.0.0.1', '[::1]'].includes(hostname))
    say('Take care: by http:// the secret and all data can be read on the way. Use https:// if you can.');
  const { upstream, close } = reachService(config.upstream);
  try {
    return await examineUpstream({ upstream, clock, random, say });
  } finally {
    await close();
  }
};
