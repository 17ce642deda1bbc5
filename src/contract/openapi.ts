import * as z from 'zod/mini';
import { api } from './api.ts';
import type { Endpoint } from './endpoint.ts';
import { SubscriberPage } from './list-query.ts';
import { Problem, problems, type ProblemCode } from './problem.ts';
import * as shapes from './subscriber.ts';
import { scopes, TokenAnswer, tokenErrors, TokenRequest } from './token.ts';

/** A part of a document that is only ever written out as JSON. */
type Json = Readonly<Record<string, unknown>>;

/**
 * The service in OpenAPI 3.1, made from the endpoint table and its schemas.
 *
 * @param base the URL that the table's paths hang off
 */
export function describeApi(base: string): Json {
  const paths: Record<string, Record<string, Json>> = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(api))
    (paths[endpoint.path] ??= {})[endpoint.method.toLowerCase()] = describeOperation(name, endpoint);
  return {
    openapi: '3.1.0',
    info: { title: 'Subscriber Management Service', version: '1' },
    servers: [{ url: base }],
    paths,
    components: { schemas: components, securitySchemes: { clientCredentials: security(base) } },
  };
}

const bodies = { CreateBody: shapes.CreateBody, UpdateBody: shapes.UpdateBody, TokenRequest };
const answers = {
  Subscriber: shapes.Subscriber,
  SubscriberDetail: shapes.SubscriberDetail,
  SubscriberWithLists: shapes.SubscriberWithLists,
  SubscriberPage,
  Status: shapes.Status,
  StatusList: api.listStatuses.answer,
  TokenAnswer,
  Problem,
};

const names = new Map<unknown, string>(
  Object.entries({ ...bodies, ...answers }).map(([name, schema]) => [schema, name]),
);
const uri = (name: string) => `#/components/schemas/${name}`;
const reference = (schema: z.ZodMiniType) => ({ $ref: uri(names.get(schema) ?? 'Unnamed') });
const components = { ...schemasOf(bodies, 'input'), ...schemasOf(answers, 'output') };

function schemasOf(named: Readonly<Record<string, z.ZodMiniType>>, io: 'input' | 'output'): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri, io });
  // Within an OpenAPI document a component is known by its place.
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => {
      const { $id: _, $schema: __, ...component } = schema;
      return [name, component];
    }),
  );
}

function describeOperation(operationId: string, endpoint: Endpoint): Json {
  const type = endpoint.form ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    operationId,
    summary: endpoint.summary,
    security: endpoint.scope ? [{ clientCredentials: [endpoint.scope] }] : [],
    parameters: [
      ...parametersOf('path', endpoint.params),
      ...parametersOf('query', endpoint.query),
      ...(takesIfMatch(endpoint) ? [{ name: 'If-Match', in: 'header', schema: { type: 'string' } }] : []),
    ],
    ...(endpoint.body && {
      requestBody: { required: true, content: { [type]: { schema: reference(endpoint.body) } } },
    }),
    responses: { 200: describeAnswer(endpoint), ...(endpoint.form ? tokenRefusals : refusalsOf(endpoint)) },
  };
}

function parametersOf(place: 'path' | 'query', schema: z.ZodMiniType | undefined): Json[] {
  // The values that are meant: how they are written as text is OpenAPI's to say, by style and explode.
  const { properties = {} } = schema ? z.toJSONSchema(schema, { io: 'output' }) : {};
  return Object.entries(properties).map(([name, of]) => ({
    name,
    in: place,
    required: place === 'path',
    schema: of,
    ...(typeof of === 'object' && of.type === 'array' && { style: 'form', explode: false }),
  }));
}

function describeAnswer(endpoint: Endpoint): Json {
  const etag = { ETag: { description: 'The version of the record', schema: { type: 'string' } } };
  return {
    description: 'Done',
    ...(endpoint.versioned && { headers: etag }),
    content: { 'application/json': { schema: reference(endpoint.answer) } },
  };
}

const takesIfMatch = (endpoint: Endpoint) =>
  endpoint.versioned === true && endpoint.method !== 'GET' && endpoint.params !== undefined;

function refusalsOf(endpoint: Endpoint): Json {
  const codes: ProblemCode[] = [
    ...(endpoint.scope ? (['invalid-token', 'insufficient-scope'] as const) : []),
    ...(endpoint.params ? (['no-such-subscriber'] as const) : []),
    ...(takesIfMatch(endpoint) ? (['changed-meanwhile'] as const) : []),
    ...(endpoint.body ? (['too-large', 'not-json'] as const) : []),
    ...(endpoint.params || endpoint.query || endpoint.body ? (['invalid-input'] as const) : []),
  ];
  const content = { 'application/problem+json': { schema: reference(Problem) } };
  return Object.fromEntries(
    codes.map((code) => [problems[code][0], { description: problems[code][1], content }]),
  );
}

/** RFC 6749 §5.2. */
const tokenRefusal = {
  type: 'object',
  properties: { error: { enum: Object.keys(tokenErrors) }, error_description: { type: 'string' } },
  required: ['error'],
};
const tokenRefusals: Json = Object.fromEntries(
  Object.values(tokenErrors).map((status) => {
    const codes = Object.entries(tokenErrors).filter(([, its]) => its === status);
    const description = codes.map(([code]) => code).join(', ');
    return [status, { description, content: { 'application/json': { schema: tokenRefusal } } }];
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
