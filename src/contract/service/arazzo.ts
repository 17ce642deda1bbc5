import { api, type OperationName } from './api.ts';
import { examples } from './openapi-words.ts';
import { changeHeaders } from '../http/change-headers.ts';
import { scopes } from './token.ts';

type Location = 'path' | 'query' | 'header';
interface Step {
  operation: OperationName;
  description: string;
  parameters?: Readonly<Partial<Record<Location, Readonly<Record<string, string>>>>>;
  body?: unknown;
  /** What later steps use of the answer. */
  outputs?: Readonly<Record<string, string>>;
}

const id = '$steps.createSubscriber.outputs.id';
const include = { query: { include: 'bundles,countries' } };

/** All operations, in an order that works. */
const steps: readonly Step[] = [
  {
    operation: 'issueToken',
    description: 'Exchange the credentials of the API client for an access token.',
    body: {
      grant_type: 'client_credentials',
      client_id: '$inputs.clientId',
      client_secret: '$inputs.clientSecret',
      scope: scopes.join(' '),
    },
    outputs: { token: '$response.body#/access_token' },
  },
  {
    operation: 'listStatuses',
    description: 'See which statuses there are.',
  },
  {
    operation: 'getStatistics',
    description: 'Count those who have expired, and those who will.',
    parameters: { query: { Limits: '2026-01-01T00:00:00Z' } },
  },
  {
    operation: 'createSubscriber',
    description: 'Create a subscriber. The key makes it safe to send this again.',
    parameters: { header: { [changeHeaders.key]: '$inputs.idempotencyKey' } },
    body: { ...Object(examples.createSubscriber.body), username: '$inputs.username' },
    outputs: { id: '$response.body#/id' },
  },
  {
    operation: 'listSubscribers',
    description: 'Find the subscriber by its username.',
    parameters: { query: { Username: '$inputs.username', SortBy: 'username' } },
  },
  {
    operation: 'getSubscriber',
    description: 'Read it, with its version and some of its lists.',
    parameters: { path: { id }, ...include },
    outputs: { version: '$response.header.ETag', accessToken: '$response.body#/accessToken' },
  },
  {
    operation: 'getSubscriberByToken',
    description: 'Read it by its access token.',
    parameters: { path: { accessToken: '$steps.getSubscriber.outputs.accessToken' }, ...include },
  },
  {
    operation: 'updateSubscriber',
    description: 'Change it, unless somebody else has changed it since it was read.',
    parameters: { path: { id }, header: { 'If-Match': '$steps.getSubscriber.outputs.version' } },
    body: examples.updateSubscriber.body,
  },
  {
    operation: 'regenerateToken',
    description: 'Replace its access token.',
    parameters: { path: { id } },
  },
  {
    operation: 'deleteSubscriber',
    description: 'Delete it.',
    parameters: { path: { id } },
  },
];

/**
 * Describes how a program uses the service, in Arazzo 1.0 (https://spec.openapis.org/arazzo/v1.0.1.html): one workflow
 * through all operations of the endpoint table, which tools show, or run against a service.
 *
 * @param base the URL where the service describes itself, at `/openapi.json`
 */
export function describeWorkflows(base: string): Readonly<Record<string, unknown>> {
  return {
    arazzo: '1.0.1',
    info: { title: 'Working with the Subscriber Management Service', version: '1' },
    sourceDescriptions: [{ name: 'service', url: `${base}/openapi.json`, type: 'openapi' }],
    workflows: [
      {
        workflowId: 'lifeOfASubscriber',
        summary: 'Create a subscriber, find, read and change it, replace its token, and delete it',
        inputs: {
          type: 'object',
          properties: {
            clientId: { type: 'string', description: 'The ID of the API client.' },
            clientSecret: { type: 'string', format: 'password', description: 'Its secret.' },
            username: { type: 'string', description: 'A username that nobody has.' },
            idempotencyKey: { type: 'string', description: 'Some random letters, for this run alone.' },
          },
          required: ['clientId', 'clientSecret', 'username', 'idempotencyKey'],
        },
        steps: steps.map(describeStep),
      },
    ],
  };
}

function describeStep({ operation, description, parameters = {}, body, outputs }: Step) {
  const { access, form = false } = { form: undefined, ...api[operation] };
  const bearer = access === 'public' ? {} : { Authorization: 'Bearer {$steps.issueToken.outputs.token}' };
  const all = { ...parameters, header: { ...bearer, ...parameters.header } };
  return {
    stepId: operation,
    description,
    operationId: operation,
    parameters: Object.entries(all).flatMap(([location, values]) =>
      Object.entries(values).map(([name, value]) => ({ name, in: location, value })),
    ),
    ...(body !== undefined && {
      requestBody: {
        contentType: form ? 'application/x-www-form-urlencoded' : 'application/json',
        payload: body,
      },
    }),
    successCriteria: [{ condition: '$statusCode == 200' }],
    ...(outputs && { outputs }),
  };
}
