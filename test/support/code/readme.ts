/** Every `text in backticks` of a Markdown text, outside of fenced blocks. */
export function codeSpans(markdown: string): string[] {
  return [...markdown.replace(/^```[\s\S]*?^```/gm, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, span = '']) => span,
  );
}

/** Of the code spans, those that name a file or folder of the project: `src/bff`, `vite.config.ts`, `.npmrc`. */
export function pathsIn(markdown: string): string[] {
  const inFolder = /^\.?(src|test|public|dist|data|\.github|\.ci)\/[\w./@{}*-]*$/;
  const atTop = /^(\.[a-z][\w.-]+|[\w-]+(\.[\w-]+)*\.(json|ts|md|html|mjs)|LICENSE)$/;
  return codeSpans(markdown).filter((span) => inFolder.test(span) || atTop.test(span));
}

/** What the text says to be in a file: "`createBff` in `src/bff/bff.ts`"; a line may break between the two. */
export function symbolsIn(markdown: string): { symbol: string; path: string }[] {
  const pairs = markdown.matchAll(/`([A-Za-z_]\w*)`\s+in\s+`((?:src|test)\/[^`\s]+)`/g);
  return [...pairs].map(([, symbol = '', path = '']) => ({ symbol, path }));
}

/** Every script that the text tells to run: `npm start`, `npm run dev -- --port 1`; fenced blocks count too. */
export function scriptsIn(markdown: string): string[] {
  const runs = markdown.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g);
  return [...new Set([...runs].map(([, run, short]) => run ?? short ?? ''))];
}

/** The environment variables of its tables: names in capitals, in backticks, in the first cell of a row. */
export function variablesIn(markdown: string): string[] {
  const cells = [...markdown.matchAll(/^\|([^|]*)\|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap(codeSpans).filter((span) => /^[A-Z][A-Z0-9_]*$/.test(span));
}

/** The packages that have a reason: a table row that begins with the name in backticks and has a text after it. */
export function reasonedPackages(markdown: string): string[] {
  return [...markdown.matchAll(/^\|([^|]*)\|(.*)\|\s*$/gm)].flatMap(([, cell = '', rest = '']) =>
    /[a-z]{3}/.test(rest) ? codeSpans(cell) : [],
  );
}

/** The rows of its table of promises: a name, and the test files of the last cell. */
export function promisesIn(markdown: string): { promise: string; files: string[] }[] {
  const section = /^### What it promises$([^]*?)(?=^##)/m.exec(markdown)?.[1] ?? '';
  const rows = [...section.matchAll(/^\|([^|]*)\|[^|]*\|([^|]*)\|\s*$/gm)];
  return rows
    .map(([, promise = '', files = '']) => ({ promise: promise.trim(), files: codeSpans(files) }))
    .filter(({ promise }) => promise !== 'promise' && !/^[- ]*$/.test(promise));
}
