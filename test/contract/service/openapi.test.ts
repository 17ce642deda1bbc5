import { describe, expect, it } from 'vitest';
import { api, type OperationName } from '../../../src/contract/service/api.ts';
import type { Endpoint } from '../../../src/contract/http/endpoint.ts';
import { describeApi } from '../../../src/contract/service/openapi.ts';
import { examples } from '../../../src/contract/service/openapi-words.ts';

interface Operation {
  operationId: string;
  parameters: { name: string; in: string; required?: boolean; description: string; schema: object }[];
  requestBody?: { content: Record<string, unknown> };
  responses: Record<string, unknown>;
  security: unknown[];
}
interface Document {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, { properties?: object; required?: string[]; additionalProperties?: unknown }>;
  };
}

// As a reader of the document gets it: whatever JSON cannot say is gone.
const document = JSON.parse(JSON.stringify(describeApi('https://service.example/v1'))) as Document;
const rows = Object.entries(api) as [OperationName, Endpoint][];

const namesIn = (schema: object | undefined) =>
  Object.keys(schema && 'shape' in schema ? (schema.shape as object) : {});

describe('the description of an operation', () => {
  it('is that of its row: name, parameters, body, scope and errors', () => {
    for (const [name, row] of rows) {
      const operation = document.paths[row.path]?.[row.method.toLowerCase()];
      const parameters = Map.groupBy(operation?.parameters ?? [], (parameter) => parameter.in);
      const statuses = Object.keys(operation?.responses ?? {});
      const described = (location: string) =>
        parameters.get(location)?.map((parameter) => parameter.name) ?? [];
      const type = row.form ? 'application/x-www-form-urlencoded' : 'application/json';
      const isPublic = row.access === 'public';
      expect({
        name: operation?.operationId,
        path: described('path'),
        query: described('query'),
        takesKey: described('header').includes('Idempotency-Key'),
        body: Object.keys(operation?.requestBody?.content ?? {}),
        scopes: operation?.security,
        statuses: ['200', '403', '412'].filter((status) => statuses.includes(status)),
      }).toEqual({
        name,
        path: namesIn(row.params),
        query: namesIn(row.query),
        takesKey: row.access === 'subscribers:write',
        body: row.body ? [type] : [],
        scopes: isPublic ? [] : [{ clientCredentials: [row.access] }],
        statuses: [
          '200',
          ...(isPublic ? [] : ['403']),
          ...(row.versioned && row.method !== 'GET' && row.params ? ['412'] : []),
        ],
      });
    }
  });

  it('has examples that its schemas accept', () => {
    for (const [name, row] of rows) {
      expect(row.answer.safeParse(examples[name].answer).error, name).toBeUndefined();
      expect(row.body?.safeParse(examples[name].body).error, name).toBeUndefined();
    }
  });
});

describe('the OpenAPI document', () => {
  it('has version 3.1 and describes the ten rows of the table and nothing else', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(rows).toHaveLength(10);
    expect(Object.values(document.paths).flatMap((path) => Object.keys(path))).toHaveLength(10);
  });

  it('says the limits of a body that zod knows only as functions', () => {
    const { properties } = document.components.schemas['CreateBody'] ?? {};
    expect(properties).toMatchObject({
      username: { minLength: 1, maxLength: 64 },
      email: { format: 'email', maxLength: 254 },
      expiresAt: { format: 'date-time' },
      maxConnections: { minimum: 1, maximum: 1000, default: 1 },
      note: { maxLength: 2000 },
      bundles: { maxItems: 200, uniqueItems: true, items: { minimum: 1 } },
      ipAddresses: { maxItems: 100, uniqueItems: true, description: expect.stringContaining('CIDR') },
      userAgents: { maxItems: 100, uniqueItems: true, items: { minLength: 1, maxLength: 256 } },
      countries: { maxItems: 249, uniqueItems: true, items: { pattern: '^[A-Z]{2}$' } },
    });
  });

  it('says what each parameter means, its limits and its default', () => {
    const { parameters = [] } = document.paths['/subscribers']?.['get'] ?? {};
    for (const { name, description } of parameters) expect(description, name).toMatch(/\.$/);
    const schemas = Object.fromEntries(parameters.map(({ name, schema }) => [name, schema]));
    expect(schemas).toMatchObject({
      Username: { maxLength: 64 },
      Page: { minimum: 1, default: 1 },
      PageSize: { minimum: 1, maximum: 200, default: 25 },
      SortBy: { enum: ['username', 'username_desc', 'expiresAt', 'expiresAt_desc'] },
    });
  });

  it('refers only to what it holds', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]*)"/g)];
    expect(references.length).toBeGreaterThan(9);
    for (const [, name = ''] of references) expect(document.components.schemas).toHaveProperty(name);
  });

  it('says what a create needs, and that unknown fields are refused', () => {
    const { CreateBody, UpdateBody } = document.components.schemas;
    expect(CreateBody?.required).toEqual(['username', 'email', 'expiresAt']);
    expect(CreateBody?.additionalProperties).toBe(false);
    expect(UpdateBody?.required ?? []).toEqual([]);
    expect(Object.keys(UpdateBody?.properties ?? {})).toEqual(Object.keys(CreateBody?.properties ?? {}));
  });
});
