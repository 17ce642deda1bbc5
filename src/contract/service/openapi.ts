import * as z from 'zod/mini';
import { api, type OperationName, type ServiceEndpoint, isChange } from './api.ts';
import { changeHeaders, changeLimits } from '../http/change-headers.ts';
import type { Endpoint } from '../http/endpoint.ts';
import { Statistics } from './statistics.ts';
import { pageSizes } from './list-rules.ts';
import { SubscriberPage } from './list-query.ts';
import { examples, fieldWords, parameterWords } from './openapi-words.ts';
import { ProblemBody } from '../http/problem.ts';
import * as shapes from './subscriber.ts';
import { CreateBody, UpdateBody } from './subscriber-input.ts';
import { scopes, TokenAnswer, tokenErrors, TokenRequest } from './token.ts';
import { problems, type ProblemCode } from '../http/problem-codes.ts';

/** A part of a document that is only written out as JSON. */
type Json = Readonly<Record<string, unknown>>;

/**
 * Describes the service in OpenAPI 3.1, from the endpoint table and its schemas.
 *
 * @param base the URL that the table's paths are appended to
 */
export function describeApi(base: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, endpoint] of Object.entries<ServiceEndpoint>(api) as [OperationName, ServiceEndpoint][])
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = describeOperation(name, endpoint);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Subscriber Management Service',
      version: '1',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: base }],
    paths,
    components: { schemas: components, securitySchemes: { clientCredentials: security(base) } },
  };
}

const bodies = { CreateBody, UpdateBody, TokenRequest };
const answers = {
  Subscriber: shapes.Subscriber,
  SubscriberDetail: shapes.SubscriberDetail,
  SubscriberWithLists: shapes.SubscriberWithLists,
  SubscriberPage,
  Status: shapes.Status,
  StatusList: api.listStatuses.answer,
  Statistics,
  TokenAnswer,
  Problem: ProblemBody,
};

const uri = (name: string) => `#/components/schemas/${name}`;
const reference = (schema: z.ZodMiniType) => {
  const named = Object.entries({ ...bodies, ...answers }).find(([, each]) => each === schema);
  return { $ref: uri(named?.[0] ?? 'Unnamed') };
};
const components = { ...schemasOf(bodies, 'input'), ...schemasOf(answers, 'output') };

function schemasOf(named: Readonly<Record<string, z.ZodMiniType>>, io: 'input' | 'output'): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri, io, override });
  // Within an OpenAPI document a component is known by its location.
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { $id: _, $schema: __, ...component } = schema;
      return [name, component];
    }),
  );
}

/** Describes what zod itself does not say of a schema. */
function override({
  zodSchema,
  jsonSchema,
}: Parameters<NonNullable<z.core.ToJSONSchemaParams['override']>>[0]) {
  if (zodSchema._zod.bag['uniqueItems'] === true) jsonSchema.uniqueItems = true;
  // A problem's status is HTTP's.
  const words: Readonly<Record<string, string>> = zodSchema === ProblemBody ? {} : fieldWords;
  for (const [name, of] of Object.entries(jsonSchema.properties ?? {}))
    if (words[name] !== undefined && typeof of === 'object') of.description = words[name];
}

function describeOperation(operationId: OperationName, endpoint: ServiceEndpoint): Json {
  const type = endpoint.form ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    operationId,
    summary: endpoint.summary,
    security: endpoint.access === 'public' ? [] : [{ clientCredentials: [endpoint.access] }],
    parameters: [
      ...parametersOf('path', endpoint.params),
      ...parametersOf('query', endpoint.query),
      ...(takesIfMatch(endpoint) ? [parameter('header', 'If-Match', { type: 'string' })] : []),
      ...(isChange(endpoint) ? [parameter('header', changeHeaders.key, keySchema)] : []),
    ],
    ...(endpoint.body && {
      requestBody: {
        required: true,
        content: { [type]: { schema: reference(endpoint.body), example: examples[operationId].body } },
      },
    }),
    responses: {
      200: describeAnswer(endpoint, examples[operationId].answer),
      ...(endpoint.form ? tokenRefusals : refusalsOf(endpoint)),
    },
  };
}

function parametersOf(location: 'path' | 'query', schema: z.ZodMiniType | undefined): Json[] {
  // The values that are meant: how they are written as text is OpenAPI's to say, by style and explode.
  const { properties = {} } = schema ? z.toJSONSchema(schema, { io: 'output' }) : {};
  return Object.entries(properties).map(([name, of]) => parameter(location, name, Object(of) as Json));
}

function parameter(location: 'path' | 'query' | 'header', name: string, of: Json): Json {
  const defaults: Json = { Page: 1, PageSize: pageSizes.usual };
  return {
    name,
    in: location,
    description: (parameterWords as Json)[name],
    required: location === 'path',
    schema: { ...of, ...(name in defaults && { default: defaults[name] }) },
    ...(of['type'] === 'array' && { style: 'form', explode: false }),
  };
}

/** A header of an answer, which is a text. */
const header = (description: string) => ({ description, schema: { type: 'string' } });
const always = {
  'X-Request-Id': header(
    'The ID of the request: your own X-Request-Id if it has 8 to 64 letters, digits, - or _.',
  ),
};
const challenge = { 'WWW-Authenticate': header('How to authenticate (RFC 6750, RFC 7617).') };

const keySchema = {
  type: 'string',
  minLength: changeLimits.key.least,
  maxLength: changeLimits.key.most,
  pattern: '^[!-~]*$',
};
const replayed = {
  [changeHeaders.replayed]: header('true if the change was made before, with the same key.'),
};

function describeAnswer(endpoint: ServiceEndpoint, example: unknown): Json {
  return {
    description: 'Success',
    headers: {
      ...always,
      ...(endpoint.versioned && { ETag: header('The version of the record, for If-Match.') }),
      ...(isChange(endpoint) && replayed),
    },
    content: { 'application/json': { schema: reference(endpoint.answer), example } },
  };
}

const takesIfMatch = (endpoint: Endpoint) =>
  endpoint.versioned === true && endpoint.method !== 'GET' && endpoint.params !== undefined;

function refusalsOf(endpoint: ServiceEndpoint): Json {
  const codes: ProblemCode[] = [
    ...(endpoint.access === 'public' ? [] : (['invalid-token', 'insufficient-scope'] as const)),
    ...(endpoint.params ? (['no-such-subscriber'] as const) : []),
    ...(takesIfMatch(endpoint) ? (['changed-meanwhile'] as const) : []),
    ...(endpoint.body ? (['too-large', 'not-json'] as const) : []),
    ...(endpoint.params || endpoint.query || endpoint.body ? (['invalid-input'] as const) : []),
    ...(isChange(endpoint) ? (['change-unconfirmed'] as const) : []),
  ];
  const content = { 'application/problem+json': { schema: reference(ProblemBody) } };
  const described = codes.map((code) => {
    const [status, description] = problems[code];
    const headers = { ...always, ...([401, 403].includes(status) && challenge) };
    return [status, { description, headers, content }] as const;
  });
  return {
    ...Object.fromEntries(described),
    default: { description: 'Any other error', headers: always, content },
  };
}

/** RFC 6749 section 5.2. */
const tokenRefusal = {
  type: 'object',
  properties: { error: { enum: Object.keys(tokenErrors) }, error_description: { type: 'string' } },
  required: ['error'],
};
const tokenRefusals: Json = Object.fromEntries(
  [...Object.values(tokenErrors), 413].map((status) => {
    const codes = Object.entries(tokenErrors).filter(([, its]) => its === status);
    const description = codes.map(([code]) => code).join(', ') || problems['too-large'][1];
    const headers = { ...always, ...(status === 401 && challenge) };
    return [status, { description, headers, content: { 'application/json': { schema: tokenRefusal } } }];
  }),
);

function security(base: string): Json {
  const allowed = { 'subscribers:read': 'Read subscribers', 'subscribers:write': 'Change subscribers' };
  return {
    type: 'oauth2',
    flows: {
      clientCredentials: {
        tokenUrl: `${base}${api.issueToken.path}`,
        scopes: Object.fromEntries(scopes.map((scope) => [scope, allowed[scope]])),
      },
    },
  };
}
