/** Texts that do something where a page takes them for more than text; each would open a dialog. */
export const corpus = [
  '<script>alert(1)</script>',
  '</script><script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '<svg onload=alert(1)>',
  '<svg><script>alert&lpar;1&rpar;</script></svg>',
  '<svg><animate onbegin=alert(1) attributeName=x dur=1s>',
  '<iframe srcdoc="<script>alert(1)</script>"></iframe>',
  '<iframe src="javascript:alert(1)"></iframe>',
  '<body onload=alert(1)>',
  '<details open ontoggle=alert(1)>',
  '<input autofocus onfocus=alert(1)>',
  '<video><source onerror=alert(1)></video>',
  '<a href="javascript:alert(1)">x</a>',
  '<form action="javascript:alert(1)"><button>x</button></form>',
  '<math><mtext><table><mglyph><style><img src=x onerror=alert(1)>',
  '<style>@import "data:text/css,*{}";</style>',
  '<link rel=stylesheet href=//evil.test/x.css>',
  '<base href=//evil.test/>',
  '<meta http-equiv=refresh content="0;url=javascript:alert(1)">',
  '<object data="javascript:alert(1)">',
  '<template><img src=x onerror=alert(1)></template>',
  '"><img src=x onerror=alert(1)>',
  "' onmouseover=alert(1) x='",
  '" onfocus=alert(1) autofocus="',
  '`-alert(1)-`',
  '${alert(1)}',
  '{{constructor.constructor("alert(1)")()}}',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  '<!--><img src=x onerror=alert(1)>-->',
  '<![CDATA[<img src=x onerror=alert(1)>]]>',
  '&lt;img src=x onerror=alert(1)&gt;',
  '\\u003cimg src=x onerror=alert(1)\\u003e',
  '%3Cimg%20src=x%20onerror=alert(1)%3E',
] as const;

const record = (id: number) => {
  const text = corpus[id - 1] ?? '';
  return {
    id,
    accessToken: text,
    username: text,
    email: text,
    expiresAt: id % 2 === 0 ? text : '2020-01-01T00:00:00.000Z',
    maxConnections: 1,
    isTrial: true,
    note: corpus.join('\n'),
    status: id % 3,
    hls: true,
    mpegTs: true,
  };
};
const lists = { bundles: [1], ipAddresses: [...corpus], userAgents: [...corpus], countries: [...corpus] };
const statuses = [0, 1, 2].map((id) => ({ id, name: corpus[id] }));

/** A refusal in which every word is one of the corpus, the names of the fields too. */
function refusal(): Response {
  const [text] = corpus;
  const fields = ['username', 'note', 'userAgents.0', 'email', 'expiresAt', 'body', text];
  const errors = Object.fromEntries(fields.map((field) => [field, [...corpus]]));
  const problem = { type: text, title: text, status: 422, detail: text, requestId: text, errors };
  return Response.json(problem, { status: 422, headers: { 'Content-Type': 'application/problem+json' } });
}

/** A service that speaks the contract and says nothing but the corpus: one subscriber for each of its texts. */
export async function answerHostile(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === '/oauth/token')
    return Response.json({ access_token: 'bearer', token_type: 'Bearer', expires_in: 3600 });
  if (pathname === '/subscriber-statuses') return Response.json(statuses);
  if (request.method !== 'GET') return refusal();
  if (pathname.startsWith('/subscribers/by-token/')) return Response.json({ ...record(1), ...lists });
  const id = Number(/^\/subscribers\/(\d+)$/.exec(pathname)?.[1]);
  if (id > 0) return Response.json({ ...record(id), ...lists }, { headers: { ETag: '"1"' } });
  const items = corpus.map((_, index) => record(index + 1));
  return Response.json({ items, page: 1, pageSize: 100, totalCount: items.length, totalPages: 1 });
}
