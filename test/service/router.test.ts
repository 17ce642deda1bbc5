import { expectTypeOf, test } from 'vitest';
import type { Api, ServiceEndpoint } from '../../src/contract/service/api.ts';
import type { Handler, Handlers } from '../../src/service/deps.ts';

test('a row without its access or its handler, and a versioned answer without its ETag, do not compile', () => {
  expectTypeOf<Omit<Api['deleteSubscriber'], 'access'>>().not.toExtend<ServiceEndpoint>();
  type Complete = Handlers<Api>;
  expectTypeOf<Complete>().toExtend<Handlers<Api>>();
  expectTypeOf<Omit<Complete, 'regenerateToken'>>().not.toExtend<Handlers<Api>>();
  type Answer = Awaited<ReturnType<Handler<Api['deleteSubscriber']>>>;
  expectTypeOf<Omit<Answer, 'etag'>>().not.toExtend<Answer>();
  expectTypeOf<Answer['etag']>().toBeString();
});
