import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { readExposition, type Sample } from '../support/bff/exposition.ts';
import { findDebianProgram } from '../support/server/debian-program.ts';
import { addressOf, signIn, startServer } from '../support/server/server-process.ts';
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
const panelExpressions = dashboard.panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));

/** The expressions of the rules: on the line of `expr:`, or on the indented lines after it. */
const ruleExpressions = [...read('alerts.yaml').matchAll(/^ {8}expr: (?:\|\n((?: {10}.*\n)+)|(.+)\n)/gm)].map(
  ([, lines, line]) => lines ?? line ?? '',
);

const variableQueries = dashboard.templating.list.flatMap(({ definition }) =>
  definition === undefined ? [] : [definition.replace(/^label_values\((.*), (\w+)\)$/, 'sum by ($2) ($1)')],
);

const words = new Set(['and', 'or', 'unless', 'by', 'without', 'on', 'offset', 'bool']);
/** What Prometheus adds to each series by itself. */
const added = { names: ['up'], labels: ['job', 'instance', 'le'] };

/** The names of metrics in an expression: its words that are neither functions nor within brackets or quotes. */
function metricsIn(expression: string): string[] {
  const bare = expression
    .replace(/\{[^}]*\}|\[[^\]]*\]/g, ' ')
    .replace(/\b(?:by|without|on)\s*\([^)]*\)/g, ' ');
  return [...bare.matchAll(/\b[a-z_]\w*\b(?!\s*\()/gi)]
    .map(([name]) => name)
    .filter((name) => !words.has(name));
}

/** The matchers of labels, each with its metric. */
function matchersIn(expression: string) {
  return [...expression.matchAll(/(\w+)\{([^}]*)\}/g)].flatMap(([, metric = '', inside = '']) =>
    [...inside.matchAll(/(\w+)(=~|!~|!=|=)"([^"]*)"/g)].map(([, label = '', how = '', value = '']) => ({
      metric,
      label,
      how,
      value,
    })),
  );
}

/** What a running server prints after a wrong password, a sign-in, a look at the list and a check of readiness. */
async function figures(): Promise<Sample[]> {
  const password = 'chosen by the operator';
  const token = 'of-the-monitoring';
  const server = startServer(join(temporaryFolder(), 'data'), {
    SAMPLE_SUBSCRIBERS: '1',
    MANAGER_PASSWORD: password,
    METRICS_TOKEN: token,
  });
  const url = await addressOf(server);
  expect((await signIn(url, 'not the password')).status).toBe(401);
  const { ask } = await signIn(url, password);
  expect((await ask('/api/subscribers')).status).toBe(200);
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  const answer = await fetch(`${url}/metrics`, { headers: { Authorization: `Bearer ${token}` } });
  return readExposition(await answer.text());
}

describe('the alerts and the dashboard', () => {
  test('name only metrics, labels and values that a running server prints', async () => {
    const samples = await figures();
    const refusal = { name: 'desk_faults_total', labels: { event: 'sign-in-failed' }, value: 1 };
    expect(samples).toContainEqual(refusal);
    const names = new Set([...samples.map(({ name }) => name), ...added.names]);
    for (const [expressions, fewest] of [
      [ruleExpressions, 14],
      [[...panelExpressions, ...variableQueries], 20],
    ] as const) {
      expect(expressions.length).toBeGreaterThanOrEqual(fewest);
      expect(expressions.filter((expression) => metricsIn(expression).length === 0)).toEqual([]);
      expect(expressions.flatMap(metricsIn).filter((name) => !names.has(name))).toEqual([]);
      const unknown = expressions.flatMap(matchersIn).filter(({ metric, label, how, value }) => {
        if (added.labels.includes(label)) return false;
        const values = samples.filter(({ name }) => name === metric).map(({ labels }) => labels[label]);
        if (label === 'status') return !values.some(Boolean) || !/^[245]xx$/.test(value);
        // A series with an outcome of the service appears with it, but the label is always there.
        if (how.startsWith('!')) return !values.some(Boolean);
        return !value.split('|').every((each) => values.includes(each));
      });
      expect(unknown).toEqual([]);
      const grouped = expressions.flatMap((expression) =>
        [...expression.matchAll(/\bby\s*\(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(/,\s*/)),
      );
      const labels = new Set([...samples.flatMap((sample) => Object.keys(sample.labels)), ...added.labels]);
      expect(grouped.filter((label) => !labels.has(label))).toEqual([]);
    }
  });

  test('the dashboard lets people choose the data source, and its panels have numbers of their own', () => {
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

  test('takes the configuration and the alerts', () => {
    expect(promtool('check', 'config', '--syntax-only', join(folder, 'prometheus.yaml'))).toMatchObject({
      status: 0,
    });
    const checked = promtool('check', 'rules', '--lint-fatal', join(folder, 'alerts.yaml'));
    expect(checked).toMatchObject({
      status: 0,
      said: expect.stringContaining(`${ruleExpressions.length} rules`),
    });
  });

  test('sees each alert fire when it should, and none on a quiet day', () => {
    expect(promtool('test', 'rules', 'test/server/alerts.test.yaml')).toMatchObject({
      status: 0,
      said: expect.stringContaining('SUCCESS'),
    });
  });

  test('takes all expressions of the dashboard', () => {
    const rules = [...panelExpressions, ...variableQueries].map((expression, index) => ({
      record: `panel_${index}`,
      expr: expression.replaceAll('$__rate_interval', '1m'),
    }));
    const file = join(temporaryFolder(), 'panels.yaml');
    // JSON is YAML.
    writeFileSync(file, JSON.stringify({ groups: [{ name: 'panels', rules }] }));
    expect(promtool('check', 'rules', file)).toMatchObject({ status: 0 });
  });
});
