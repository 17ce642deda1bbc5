import { isNode, lineOf, nodesOf, readSources, type SourceFile, type SyntaxNode } from './source-files.ts';

const words = (text: string) => text.trim().replace(/\s+/g, '|');

const fragments = words(`
  about after also always and as at because before behind beside but by during even for from if in
  into it like never not of on once or over so still such than that then they through to too twice
  under unless until when where whether while whom whose with within without
`);
const verbs = words(`
  aborts is are was were has have had can cannot can’t may might must do does did edit will would
  accepts adds allows? appends asks? becomes? begins? binds breaks brings causes? clears closes comes?
  contains costs counts creates deletes enables ends? erases expires extends fails? fetches fills
  finds? floods follows? forgets generates gets? gives? goes? go grows? happens hides holds? ignores
  includes? keeps? knows? lasts lays leads? leaves? lets? lies? locks logs loses? makes? marks moves?
  names needs? offers? opens? overwrites passes pauses pins prints proposes puts reaches records
  refers refuses? rejects removes repeats replaces? reports restores returns reveals rolls runs saves
  says? sees? selects sends? serves sets shares? shows? signs? skips? stands? starts? stays? stops?
  stores takes? tells? tries turns types waits? warns works writes
`);
// "Lists" and "changes" are also nouns, which other words follow.
const oftenNouns =
  '(answers|changes|checks|exports|lists|reads|requests|updates)(?! (of|that|which|with|from|by|to|are|have|in|on|at|after)\\b)' +
  '|(answer|change|import|limit|link|list|name) (a|each|every|exactly|for|no|only|the|what)';

/** It begins with a preposition, a conjunction or a pronoun. */
const isFragment = new RegExp(`^(${fragments})\\b(?!-)`, 'i');
const isPredicate = new RegExp(`^(${verbs}|${oftenNouns})\\b(?! of\\b)`);
const isThirdPerson =
  /^((can|can’t|cannot|may|must)\b|[a-z]+s\b(?!-)(?<!^(its|this|as|always|perhaps|besides|across))(?! (is|are|was|has|have)\b))/;

function titleFault(kind: string, title: string, inDescribe: boolean): string | null {
  // A title that begins with its case says nothing that could be read without it.
  if (/^(%|\$)/.test(title)) return null;
  if (kind !== 'it')
    return isFragment.test(title) || isPredicate.test(title) ? 'begins as half a sentence' : null;
  if (!inDescribe) return 'stands in no describe';
  return isThirdPerson.test(title) ? null : 'does not begin with a third-person verb';
}

/** The titles of tests that say nothing by themselves: a `test` is a sentence, an `it` what its `describe` does. */
export function titleFaults(file: SourceFile): string[] {
  const calls = nodesOf(file).flatMap(([node]) => {
    const kind = kindOf(node);
    return kind === null ? [] : [{ node, kind, title: firstText(file, node) }];
  });
  const groups = calls.filter(({ kind }) => kind === 'describe').map(({ node }) => node);
  return calls.flatMap(({ node, kind, title }) => {
    const inDescribe = groups.some(({ start, end }) => start < node.start && node.end < end);
    const fault = title === null ? null : titleFault(kind, title, inDescribe);
    return fault === null ? [] : [`${file.path}:${lineOf(file, node.start)} ${kind}('${title}') ${fault}`];
  });
}

/** `test` of `test(…)`, `test.each(…)(…)` and `test.for(…)(…)`. */
function kindOf(node: SyntaxNode): string | null {
  if (node.type !== 'CallExpression') return null;
  let root: unknown = node['callee'];
  while (isNode(root) && root.type !== 'Identifier') root = root['callee'] ?? root['object'] ?? root['tag'];
  const name = isNode(root) ? root['name'] : null;
  return name === 'test' || name === 'it' || name === 'describe' ? name : null;
}

function firstText(file: SourceFile, node: SyntaxNode): string | null {
  const [first] = Array.isArray(node['arguments']) ? (node['arguments'] as unknown[]) : [];
  if (!isNode(first)) return null;
  if (first.type === 'TemplateLiteral') return file.text.slice(first.start + 1, first.end - 1);
  return first.type === 'Literal' && typeof first['value'] === 'string' ? first['value'] : null;
}

// `node test/support/code/test-names.ts test/bff` lists those of a folder.
if (import.meta.main) {
  const folder = process.argv[2] ?? 'test';
  const faults = readSources('test').flatMap(titleFaults);
  process.stdout.write(
    faults
      .filter((fault) => fault.startsWith(folder))
      .map((fault) => `${fault}\n`)
      .join(''),
  );
}
