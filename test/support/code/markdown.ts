/** What a document names that can be checked. Fenced blocks count for scripts alone. */

/** Every `text in backticks` of a Markdown text, outside of fenced blocks. */
export function codeSpans(markdown: string): string[] {
  return [...withoutFences(markdown).matchAll(/`([^`\n]+)`/g)].map(([, span = '']) => span);
}

const withoutFences = (markdown: string) => markdown.replace(/^```[\s\S]*?^```/gm, '');

const file = String.raw`\.?[\w-][\w.-]*(?:\/[\w.-]+)*\.(?:ts|tsx|mjs|json|css|md|html|png)`;
const folder = String.raw`\.?[\w-][\w.-]*(?:\/[\w.-]+)*\/`;
const inKnownFolder = String.raw`\.?(?:src|test|public|dist|data|\.github|\.ci|\.cache)\/[\w./-]*`;
const atTop = String.raw`\.[a-z][\w.-]+|LICENSE`;
const path = new RegExp(`^(?:${file}|${folder}|${inKnownFolder}|${atTop})$`);

/** Of the code spans, those that name a file or a folder: `src/bff`, `journal/undo.ts`, `auth/`, `.npmrc`. */
export function pathsIn(markdown: string): string[] {
  return codeSpans(markdown).filter((span) => path.test(span));
}

/**
 * What the text says to be declared in a file: "`createBff` in `src/bff/bff.ts`", "`a`, `b` and `c` in `d.ts`"; a line may
 * break between.
 */
export function symbolsIn(markdown: string): { symbol: string; path: string }[] {
  const symbol = String.raw`\`[A-Za-z_]\w*\``;
  const list = String.raw`(${symbol}(?:(?:,|,? and|,? or)\s+${symbol})*)\s+in\s+\`(${file})\``;
  return [...withoutFences(markdown).matchAll(new RegExp(list, 'g'))].flatMap(([, names = '', where = '']) =>
    codeSpans(names).map((name) => ({ symbol: name, path: where })),
  );
}

/** Whether a TypeScript text declares a name: as a variable, function or type, or as a member of an object or a class. */
export function declares(source: string, name: string): boolean {
  const declared = String.raw`\b(?:const|let|function|class|interface|type)\s+${name}\b`;
  const member = String.raw`^\s+(?:async\s+)?${name}\??\s*[:(]`;
  return new RegExp(`${declared}|${member}`, 'm').test(source);
}

/** Every script that the text tells to run: `npm start`, `npm run dev -- --port 1`; fenced blocks count too. */
export function scriptsIn(markdown: string): string[] {
  const runs = markdown.matchAll(/\bnpm (?:run ([\w:-]+)|(start|test)\b)/g);
  return [...new Set([...runs].map(([, run, short]) => run ?? short ?? ''))];
}

/** Where its links and pictures lead, but for addresses elsewhere: `src/README.md#words`, `#words`. */
export function linksIn(markdown: string): string[] {
  const links = withoutFences(markdown).matchAll(/\]\(([^)\s]+)\)/g);
  return [...links].map(([, target = '']) => target).filter((target) => !/^[a-z]+:/.test(target));
}

/** The anchors that GitHub gives its headings: lower case, without signs, hyphens for blanks. */
export function anchorsIn(markdown: string): string[] {
  const headings = [...withoutFences(markdown).matchAll(/^#{1,6} (.*)$/gm)].map(([, text = '']) => text);
  return headings.map((text) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The environment variables of its tables: names in capitals, in backticks, in the first cell of a row. */
export function variablesIn(markdown: string): string[] {
  const cells = [...withoutFences(markdown).matchAll(/^\|([^|]*)\|/gm)].map(([, cell = '']) => cell);
  return cells.flatMap(codeSpans).filter((span) => /^[A-Z][A-Z0-9_]*$/.test(span));
}

/** The packages that have a reason: "- `zod`, `jose`: why", in the section of this name. */
export function reasonedPackages(markdown: string): string[] {
  return itemsOf(sectionOf(markdown, 'Dependencies')).flatMap((item) => {
    const [, names = '', reason = ''] = /^((?:`[^`]+`(?:, )?)+): ([^]*)/.exec(item) ?? [];
    return /[a-z]{3}/.test(reason) ? codeSpans(names) : [];
  });
}

/** "- **Promise:** what it says. Tests: `a.test.ts`, `b.test.ts`", in the section of this name. */
export function promisesIn(markdown: string): { promise: string; files: string[] }[] {
  return itemsOf(sectionOf(markdown, 'What it promises')).map((item) => {
    const [, promise = '', tests = ''] = /^\*\*(.+?):?\*\*[^]*?(?:\sTests: ([^]*))?$/.exec(item) ?? [];
    return { promise, files: codeSpans(tests) };
  });
}

/** From a heading of the second level to the next one. */
function sectionOf(markdown: string, heading: string): string {
  const [, ...sections] = `\n${markdown}`.split(/\n## /);
  return sections.find((section) => section.startsWith(`${heading}\n`)) ?? '';
}

/** The items of its lists, each on one line. */
function itemsOf(section: string): string[] {
  const items = section.split(/\n(?=- |\n|#)/).filter((part) => part.startsWith('- '));
  return items.map((item) => item.slice(2).replace(/\s+/g, ' ').trim());
}
