import { describe, expect, test } from 'vitest';
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

describe.each(Object.entries<Endpoint>(api))('the description of %s', (name, row) => {
  const operation = document.paths[row.path]?.[row.method.toLowerCase()];

  test('has its path, method and name', () => {
    expect(operation?.operationId).toBe(name);
  });

  test('has the parameters of its row', () => {
    const described = (location: string) =>
      operation?.parameters
        .filter((parameter) => parameter.in === location)
        .map((parameter) => parameter.name) ?? [];
    expect(described('path')).toEqual(Object.keys(shapeOf(row.params)));
    expect(described('query')).toEqual(Object.keys(shapeOf(row.query)));
  });

  test('takes an Idempotency-Key where it changes something', () => {
    const headers = operation?.parameters.filter((parameter) => parameter.in === 'header');
    expect(headers?.some((header) => header.name === 'Idempotency-Key')).toBe(
      row.access === 'subscribers:write',
    );
  });

  test('has a body where the row has one, of its type', () => {
    const type = row.form ? 'application/x-www-form-urlencoded' : 'application/json';
    expect(Object.keys(operation?.requestBody?.content ?? {})).toEqual(row.body ? [type] : []);
  });

  test('asks for the scope of its row', () => {
    expect(operation?.security).toEqual(row.access === 'public' ? [] : [{ clientCredentials: [row.access] }]);
  });

  test('answers 200, and says which errors can come', () => {
    const statuses = Object.keys(operation?.responses ?? {});
    expect(statuses).toContain('200');
    expect(statuses.includes('412')).toBe(
      row.versioned === true && row.method !== 'GET' && row.params !== undefined,
    );
    expect(statuses.includes('403')).toBe(row.access !== 'public');
  });
});

function shapeOf(schema: object | undefined): object {
  return schema && 'shape' in schema ? (schema.shape as object) : {};
}

describe.each(Object.entries(api) as [OperationName, Endpoint][])('the examples of %s', (name, row) => {
  test('are what its schemas take', () => {
    expect(row.answer.safeParse(examples[name].answer).error).toBeUndefined();
    expect(row.body?.safeParse(examples[name].body).error).toBeUndefined();
  });
});

describe('the document', () => {
  test('says the limits of a body that zod knows only as functions', () => {
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

  test('says what each parameter means, its limits and its default', () => {
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

  test('is OpenAPI 3.1, and describes the rows of the table and nothing else', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(Object.values(document.paths).flatMap((path) => Object.keys(path))).toHaveLength(
      Object.keys(api).length,
    );
  });

  test('refers only to what it holds', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/components\/schemas\/([^"]*)"/g)];
    expect(references.length).toBeGreaterThan(9);
    for (const [, name = ''] of references) expect(document.components.schemas).toHaveProperty(name);
  });

  test('says what a create needs, and that unknown fields are refused', () => {
    const { CreateBody, UpdateBody } = document.components.schemas;
    expect(CreateBody?.required).toEqual(['username', 'email', 'expiresAt']);
    expect(CreateBody?.additionalProperties).toBe(false);
    expect(UpdateBody?.required ?? []).toEqual([]);
    expect(Object.keys(UpdateBody?.properties ?? {})).toEqual(Object.keys(CreateBody?.properties ?? {}));
  });
});
