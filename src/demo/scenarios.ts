import type { ScenarioName, Settings } from './settings.ts';

/** One thing for the user to do. */
export interface Step {
  text: string;
  /**
   * What shows that it is done, in a line of what happens in the tab: `page /subscribers/3`, or `PUT /api/subscribers/3 200`
   * for an answer. The status is 0 where the answer got lost.
   */
  until: RegExp;
  /** The step needs the playlist link of this subscriber in the clipboard. */
  playlistOf?: number;
}

/** A story to try, from a stage that is set for it. */
interface Scenario {
  title: string;
  about: string;
  /** The page where it begins. */
  at: string;
  /** How the demo differs from its defaults. */
  stage: Partial<Settings>;
  steps: readonly Step[];
}

// The names and ids are those that the samples have in every demo with the default data.
export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  caller: {
    title: 'A caller cannot watch',
    about: 'Find the caller, see the reason, and fix it.',
    at: '/subscribers',
    stage: { role: 'support' },
    steps: [
      {
        text: 'A caller sees no picture, and says: “My name is m.bianchi.” Type that into the search box, and open m.bianchi.',
        until: /^page \/subscribers\/1632\b/,
      },
      {
        text: 'The first line says why: the subscription has expired. The caller has paid, so press “+1 month” below it.',
        until: /^PUT \/api\/subscribers\/1632 200$/,
      },
      {
        text: 'The caller can watch again. Open “Activity”, which says who changed what.',
        until: /^page \/activity/,
      },
    ],
  },
  'clean-up': {
    title: 'Clean up 157 expired trials',
    about: 'Select them all, check the preview, delete them in one job.',
    at: '/overview',
    stage: { role: 'manager' },
    steps: [
      {
        text: 'Press the number of expired trials, which opens them as a list.',
        until: /^page \/subscribers\?.*\btrial=true/,
      },
      {
        text: 'Press “Select” and tick the box above the rows, then “Select all 157 that match”, “Delete…” and “Preview”.',
        until: /^POST \/bff\/jobs 20\d$/,
      },
      {
        text: 'Nothing is deleted yet: this is the preview. Start the job, which asks how many you delete.',
        until: /^POST \/bff\/jobs\/[^/]+\/start 20\d$/,
      },
      {
        text: 'The job goes on, whatever page you look at. Open “Activity” to see what it has deleted.',
        until: /^page \/activity/,
      },
    ],
  },
  'two-people': {
    title: 'Two people edit',
    about: 'A colleague saves the same subscriber just before you.',
    at: '/subscribers/21/edit',
    stage: { role: 'support', faults: ['edits-meanwhile'] },
    steps: [
      {
        text: 'Add a line to the note, then save. Sigrid, a colleague, will be a moment faster.',
        until: /^PUT \/api\/subscribers\/21 412$/,
      },
      {
        text: 'Nothing is lost: each of your additions is marked, and both are kept. If you changed the same line, choose “Both”. Press “Save merged version”.',
        until: /^PUT \/api\/subscribers\/21 200$/,
      },
      {
        text: 'The activity below the subscriber’s details has both changes. Open “Activity” for those of everybody.',
        until: /^page \/activity/,
      },
    ],
  },
  'lost-answer': {
    title: 'The answer gets lost',
    about: 'A change is made, but its answer does not arrive.',
    at: '/subscribers/41',
    stage: { role: 'support', faults: ['lost-answers'] },
    steps: [
      {
        text: 'Press “+7 days”. The change will be made, but its answer gets lost on the way back.',
        until: /^PUT \/api\/subscribers\/41 0$/,
      },
      {
        text: 'The page says that it does not know yet, and asks again by itself. Wait a moment.',
        until: /^PUT \/api\/subscribers\/41 200$/,
      },
      {
        text: 'Now it knows, and the change was not made twice: 7 days, not 14. Open “Activity”, which has it once.',
        until: /^page \/activity/,
      },
    ],
  },
  'leaked-token': {
    title: 'A leaked token',
    about: 'A playlist link is in a forum. Find whose it is, and stop it.',
    at: '/subscribers',
    stage: { role: 'support' },
    steps: [
      {
        text: 'Somebody posted a playlist link in a forum. Copy it, and paste it into the search box.',
        until: /^page \/subscribers\/111\b/,
        playlistOf: 111,
      },
      {
        text: 'This is whose it is. Press “Regenerate…” and confirm: the old link stops at once.',
        until: /^POST \/api\/subscribers\/111\/regenerate-token 200$/,
      },
      {
        text: 'You would send the new token to the subscriber. Press “Done”, then paste the old link into the search box again.',
        until: /^POST \/bff\/find-by-token \d+$/,
      },
    ],
  },
};
