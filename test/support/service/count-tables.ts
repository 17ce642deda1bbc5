/**
 * What migrations up to 0005 made in earlier versions, beside what they make today: tables of counts that triggers keep.
 * The bodies are cut short; each trigger fails once its table is gone, as the real ones did.
 */
const tables = [
  `create table subscriber_tallies (kind text not null, bucket integer not null, amount integer not null,
    primary key (kind, bucket))`,
  'create table subscriber_tally_state (id integer primary key, past_until bigint not null)',
  'create table subscriber_name_buckets (bucket integer primary key, first text not null unique)',
  'insert into subscriber_tally_state (id, past_until) values (1, 0)',
  "insert into subscriber_name_buckets (bucket, first) values (0, '')",
  'create index subscribers_by_id on subscribers (id, expires_at)',
  'create index subscribers_by_expiry on subscribers (expires_at, id)',
  'create index subscribers_by_username on subscribers (username_search, id)',
];

const events = ['insert', 'update', 'delete'];

const count = `insert into subscriber_tallies (kind, bucket, amount) values ('id', 0, 1)
  on conflict (kind, bucket) do update set amount = subscriber_tallies.amount + 1;`;
const countTrigrams = 'update subscriber_trigrams set amount = amount + 1;';

const sqliteTriggers = events.map(
  (event) => `create trigger subscribers_tally_${event} after ${event} on subscribers begin ${count} end`,
);

const postgresTriggers = (name: string, body: string) =>
  events.flatMap((event) => [
    `create function subscribers_${name}_${event}() returns trigger language plpgsql as
      $$ begin ${body} return null; end $$`,
    `create trigger subscribers_${name}_${event} after ${event} on subscribers
      for each statement execute function subscribers_${name}_${event}()`,
  ]);

export const countTables = {
  sqlite: [...tables, ...sqliteTriggers],
  postgres: [
    ...tables,
    'create table subscriber_trigrams (trigram text not null, slot integer not null, amount integer not null)',
    ...postgresTriggers('tally', count),
    ...postgresTriggers('trigram', countTrigrams),
  ],
};
