import { extensionNames, type ExtensionName } from '../../contract/service/list-query.ts';
import { Refusal } from '../../contract/http/refusal.ts';
import type { Caller } from './call.ts';

/**
 * Refuses a filter that the service does not have. It would ignore it and answer everybody, and somebody who asked
 * for expired trials might delete what comes.
 */
export function refuseUndeclared(caller: Caller, declared: readonly ExtensionName[]): Caller {
  const missing = extensionNames.filter((name) => !declared.includes(name));
  return {
    ...caller,
    async call(operation, input, errand) {
      const query = Object('query' in input ? input.query : null) as object;
      const used = missing.filter((name) => name in query);
      if (used.length > 0) throw new Refusal('invalid-input', notHere(used.join(', ')), { errors: of(used) });
      return caller.call(operation, input, errand);
    },
  };
}

const notHere = (names: string) => `The subscriber service has no filter ${names}. Leave it out.`;

const of = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, [notHere(name)]]));
