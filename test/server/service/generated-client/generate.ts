import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript';

/** The types of a client for a service that describes itself so, as anybody would have them made. */
export async function generateTypes(document: OpenAPI3): Promise<string> {
  // In a body, what has a default may be left out.
  return astToString(await openapiTS(document, { defaultNonNullable: false }));
}
