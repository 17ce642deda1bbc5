import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { pagePolicy } from '../../bff/http/security-headers.ts';

/**
 * The policy of the reference page. Swagger UI has its icons in `data:` addresses and writes HTML, which it cleans,
 * in ways that trusted types would stop.
 */
const { 'require-trusted-types-for': _, 'trusted-types': __, ...withoutTrustedTypes } = pagePolicy;
export const docsPolicy = { ...withoutTrustedTypes, 'img-src': `'self' data:` };

/**
 * Answers `/docs`, the reference for people, and the files that it loads; null for any other path. All files are local.
 * The page cannot send requests, so nobody has a reason to type a secret into it.
 */
export function createDocs(): (request: Request) => Promise<Response | null> {
  const cached = new Map<string, Promise<string>>();
  return async (request) => {
    const { pathname } = new URL(request.url);
    const file = files.get(pathname);
    if (!file || !['GET', 'HEAD'].includes(request.method)) return null;
    const text = cached.get(pathname) ?? file.read();
    cached.set(pathname, text);
    return new Response(await text, {
      headers: { 'Content-Type': `${file.type}; charset=utf-8`, 'Cache-Control': 'public, max-age=3600' },
    });
  };
}

/** Addresses are relative: behind a proxy the service may hang off a path. */
const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <title>Subscriber Management Service</title>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href="docs/swagger-ui.css" />
    <script src="docs/swagger-ui-bundle.js" defer></script>
    <script src="docs/start.js" defer></script>
  </head>
  <body>
    <main id="reference"></main>
  </body>
</html>
`;
const start = `SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#reference',
  supportedSubmitMethods: [],
  deepLinking: true,
});
`;

// `imports` in package.json says where they are: the package brings these few files, not all of Swagger UI.
const installed = (name: string) => () =>
  readFile(fileURLToPath(import.meta.resolve(`#swagger-ui/${name}`)), 'utf8');

const files = new Map([
  ['/docs', { type: 'text/html', read: async () => page }],
  ['/docs/start.js', { type: 'text/javascript', read: async () => start }],
  ['/docs/swagger-ui-bundle.js', { type: 'text/javascript', read: installed('swagger-ui-bundle.js') }],
  ['/docs/swagger-ui.css', { type: 'text/css', read: installed('swagger-ui.css') }],
]);
