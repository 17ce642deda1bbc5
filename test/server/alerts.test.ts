import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readExposition, type Sample } from '../support/bff/exposition.ts';
import { findDebianProgram } from '../support/server/debian-program.ts';
import { openServer } from '../support/server/in-process.ts';
import { bearer, signIn } from '../support/server/server-process.ts';
import { root } from '../support/server/start-process.ts';
import { temporaryFolder } from '../support/server/temporary-folder.ts';

const folder = join(root, 'src/server/deploy');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');

/** A dashboard of Grafana, as far as this test reads it. */
interface Dashboard {
  panels: { id: number; targets?: { expr: string }[] }[];
  templating: { list: { type: string; definition?: string }[] };
}
const dashboard = JSON.parse(read('grafana-dashboard.json')) as Dashboard;
const dashboardExpressions = [
  ...dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr)),
  ...dashboard.templating.list.flatMap(({ definition = '' }) =>
    definition === '' ? [] : [definition.replace(/^label_values\((.*), (\w+)\)$/, 'sum by ($2) ($1)')],
  ),
];
/** The expressions of the rules: on the line of `expr:`, or on the indented lines after it. */
const ruleExpressions = [...read('alerts.yaml').matchAll(/^ {8}expr: (?:\|\n((?: {10}.*\n)+)|(.+)\n)/gm)].map(
  ([, lines, line]) => lines ?? line ?? '',
);

const words = new Set(['and', 'or', 'unless', 'by', 'without', 'on', 'offset', 'bool']);

/** The names of metrics in an expression: its words that are neither functions nor within brackets or quotes. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replace(/\b(?:by|without|on)\s*\([^)]*\)/g, ' ');
  const names = [...bare.matchAll(/\b[a-z_]\w*\b(?!\s*\()/gi)].map(([name]) => name);
  return names.filter((name) => !words.has(name));
}

/** The matchers of labels, each with its metric; and the labels that are grouped by. */
const matchersIn = (expression: string) =>
  [...expression.matchAll(/(\w+)\{([^}]*)\}/g)].flatMap(([, metric = '', inside = '']) =>
    [...inside.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(([, label = '', how = '', value = '']) => ({
      metric,
      label,
      how,
      value,
    })),
  );
const groupsIn = (expression: string) =>
  [...expression.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/));

/** Labels that Prometheus adds to each series by itself. */
const added = { names: ['up'], labels: ['job', 'instance', 'le'] };

/** Samples of a running server after a wrong password, a sign-in, a look at the list and a check of readiness. */
let samples: Sample[];
const [password, token] = ['chosen by the operator', 'of-the-monitoring'];
const opened = openServer({ MANAGER_PASSWORD: password, METRICS_TOKEN: token });
beforeAll(async () => {
  const { url } = await opened;
  expect((await signIn(url, 'not the password')).status).toBe(401);
  const { ask } = await signIn(url, password);
  expect((await ask('GET', '/api/subscribers')).status).toBe(200);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  samples = readExposition(await (await fetch(`${url}/metrics`, { headers: bearer(token) })).text());
  const refusal = { name: 'desk_faults_total', labels: { event: 'sign-in-failed' }, value: 1 };
  expect(samples).toContainEqual(refusal);
});

describe.each([
  ['alerts.yaml', ruleExpressions, 14],
  ['grafana-dashboard.json', dashboardExpressions, 20],
] as const)('%s', (_, expressions, fewest) => {
  it('names only metrics, labels and values that a running server prints', () => {
    const names = new Set([...samples.map(({ name }) => name), ...added.names]);
    const labels = new Set([...samples.flatMap((sample) => Object.keys(sample.labels)), ...added.labels]);
    const isKnown = ({ metric, label, how, value }: ReturnType<typeof matchersIn>[number]) => {
      if (added.labels.includes(label)) return true;
      const values = samples.filter(({ name }) => name === metric).map((sample) => sample.labels[label]);
      if (label === 'status') return values.some(Boolean) && /^[245]xx$/.test(value);
      // A series with an outcome of the service appears with it, but the label is always there.
      if (how.startsWith('!')) return values.some(Boolean);
      return value.split('|').every((each) => values.includes(each));
    };
    expect(expressions.length).toBeGreaterThanOrEqual(fewest);
    expect(expressions.filter((expression) => metricsIn(expression).length === 0)).toEqual([]);
    expect(expressions.flatMap(metricsIn).filter((name) => !names.has(name))).toEqual([]);
    expect(expressions.flatMap(matchersIn).filter((matcher) => !isKnown(matcher))).toEqual([]);
    expect(expressions.flatMap(groupsIn).filter((label) => !labels.has(label))).toEqual([]);
  });
});

describe('the dashboard of Grafana', () => {
  it('lets people choose the data source, and gives each panel a number of its own', () => {
    expect(dashboard.templating.list.map(({ type }) => type)).toEqual(['datasource', 'query', 'query']);
    const uids = read('grafana-dashboard.json').matchAll(/"uid": "([^"]+)"/g);
    expect(new Set(Array.from(uids, ([, uid]) => uid))).toEqual(
      new Set(['subscriber-desk', '${datasource}']),
    );
    expect(new Set(dashboard.panels.map(({ id }) => id)).size).toBe(dashboard.panels.length);
  });
});

describe('promtool', () => {
  let program: string | null = null;

  beforeEach(({ skip }) => {
    program ??= findDebianProgram('prometheus', '/usr/bin/promtool');
    skip(program === null, 'There is no promtool. Debian: apt-get install prometheus.');
  });

  function promtool(...options: string[]) {
    const { status, stdout, stderr } = spawnSync(program ?? '', options, { encoding: 'utf8', cwd: root });
    return { status, said: stdout + stderr };
  }

  it('takes the configuration and the alerts', () => {
    expect(promtool('check', 'config', '--syntax-only', join(folder, 'prometheus.yaml'))).toMatchObject({
      status: 0,
    });
    const checked = promtool('check', 'rules', '--lint-fatal', join(folder, 'alerts.yaml'));
    expect(checked).toMatchObject({
      status: 0,
      said: expect.stringContaining(`${ruleExpressions.length} rules`),
    });
  });

  it('sees each alert fire when it should, and none on a quiet day', () => {
    expect(promtool('test', 'rules', 'test/server/alerts.test.yaml')).toMatchObject({
      status: 0,
      said: expect.stringContaining('SUCCESS'),
    });
  });

  it('takes all expressions of the dashboard', () => {
    const rules = dashboardExpressions.map((expression, index) => ({
      record: `panel_${index}`,
      expr: expression.replaceAll('$__rate_interval', '1m'),
    }));
    const file = join(temporaryFolder(), 'panels.yaml');
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    expect(promtool('check', 'rules', file)).toMatchObject({ status: 0 });
  });
});
