import type { ScenarioName, Settings } from './settings.ts';

/** One thing for the user to do. */
export interface Step {
  text: string;
  /** A text for whoever presents the demo. */
  say: string;
  /**
   * Matches the line of what happens in the tab that shows that it is done: `page /subscribers/3`, or `PUT
   * /api/subscribers/3 200` for an answer. The status is 0 where the answer got lost.
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
  /** Differences of the demo from its defaults. */
  stage: Partial<Settings>;
  steps: readonly Step[];
}

// The names and ids are those that the samples have in every demo with the default data.
export const scenarios: Readonly<Record<ScenarioName, Scenario>> = {
  caller: {
    title: 'A caller can’t watch',
    about: 'Find the caller, see the reason, and fix it.',
    at: '/subscribers',
    stage: { role: 'support' },
    steps: [
      {
        text: 'A caller sees no picture, and says: “My name is m.bianchi.” Type that into the search box, and open m.bianchi.',
        say: 'Staff type what they hear. It finds names, addresses, tokens and whole playlist links.',
        until: /^page \/subscribers\/1632\b/,
      },
      {
        text: 'The first line says why: the subscription has expired. The caller has paid, so press “+1 month” below it.',
        say: 'The first line answers the caller’s question, and what helps is right below it.',
        until: /^PUT \/api\/subscribers\/1632 200$/,
      },
      {
        text: 'The caller can watch again. Open “Activity”, which has all that you changed.',
        say: 'Every change is written down, with who made it. This one can be undone.',
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
        say: 'Each number of the overview is a list of exactly these subscribers.',
        until: /^page \/subscribers\?.*\btrial=true/,
      },
      {
        text: 'Press “Select” and tick the box above the rows, then “Select all 157 that match”, “Delete…” and “Preview”.',
        say: 'One or thousands: it is the same three steps.',
        until: /^POST \/bff\/jobs 20\d$/,
      },
      {
        text: 'Nothing is deleted yet: this is the preview. Start the job, which asks how many you delete.',
        say: 'Nothing happens to many subscribers before somebody has seen who they are and typed their number.',
        until: /^POST \/bff\/jobs\/[^/]+\/start 20\d$/,
      },
      {
        text: 'The job goes on, whatever page you look at. Open “Activity” to see what it has deleted.',
        say: 'You can close the window: the server goes on, and each subscriber is changed once, whatever fails.',
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
        say: 'In most panels, the last save wins, and nobody learns what was lost.',
        until: /^PUT \/api\/subscribers\/21 412$/,
      },
      {
        text: 'Nothing is lost: each of your additions is marked, and both are kept. If you changed the same line, choose “Both”. Press “Save merged version”.',
        say: 'Here both see what the other did, and decide.',
        until: /^PUT \/api\/subscribers\/21 200$/,
      },
      {
        text: 'The activity below the subscriber’s details has both changes. Open “Activity” for all of yours.',
        say: 'Both changes are there, each with its author.',
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
        say: 'Networks lose answers, on trains and behind proxies. Then nobody knows whether the change was made.',
        until: /^PUT \/api\/subscribers\/41 0$/,
      },
      {
        text: 'The page says that it does not know yet, and asks again by itself. Wait a moment.',
        say: 'It does not guess: it asks with the same key, under which a change is made once.',
        until: /^PUT \/api\/subscribers\/41 200$/,
      },
      {
        text: 'Now it knows, and the change was not made twice: 7 days, not 14. Open “Activity”, which has it once.',
        say: 'No customer gets two weeks for one, and none gets nothing.',
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
        say: 'A token is found in any text around it, also where a mail program broke the line.',
        until: /^page \/subscribers\/111\b/,
        playlistOf: 111,
      },
      {
        text: 'This is whose it is. Press “Regenerate…” and confirm: the old link stops at once.',
        say: 'Staff see only its last four characters, unless they say why they need the rest.',
        until: /^POST \/api\/subscribers\/111\/regenerate-token 200$/,
      },
      {
        text: 'You would send the new token to the subscriber. Press “Done”, then paste the old link into the search box again.',
        say: 'The next colleague who gets the old link learns whose it was, and when it was replaced.',
        until: /^POST \/bff\/find-by-token \d+$/,
      },
    ],
  },
  extend: {
    title: 'Extend 157, and take it back',
    about: 'Give all expired trials another month, then undo it.',
    at: '/subscribers?expired=true&trial=true',
    stage: { role: 'manager' },
    steps: [
      {
        text: 'Press “Select” and “Select all 157 that match”, then “Extend…” and “Preview”.',
        say: 'A campaign to win people back takes half a minute.',
        until: /^POST \/bff\/jobs 20\d$/,
      },
      {
        text: 'The preview shows from when until when. Type the number, and start the job.',
        say: 'Each gets a month from today, not from a day long past.',
        until: /^POST \/bff\/jobs\/[^/]+\/start 20\d$/,
      },
      {
        text: 'That was too generous. When the job is done, press “Undo this job…”.',
        say: 'What was a mistake for 157 people is one button.',
        until: /^POST \/bff\/jobs\/[^/]+\/undo 20\d$/,
      },
      {
        text: 'Undoing has a preview, too: subscribers that were changed since then stay as they are. Start it.',
        say: 'It never takes back what a colleague has done in the meantime.',
        until: /^POST \/bff\/jobs\/[^/]+\/start 20\d$/,
      },
    ],
  },
  spreadsheet: {
    title: 'Out to a spreadsheet, and back',
    about: 'Export a list, change it where you like, import it again.',
    at: '/subscribers?expired=true&trial=true',
    stage: { role: 'manager' },
    steps: [
      {
        text: 'Press “Export…”, then “Export”. The browser saves a file.',
        say: 'Whatever filter is on: this list, and nobody else.',
        until: /^GET \/bff\/export 200$/,
      },
      {
        text: 'Open the file in a spreadsheet, change some notes and save it, or leave it as it is. Then press “Import…” and choose the file.',
        say: 'Excel may write dates its own way. The import says how it reads them.',
        until: /^POST \/bff\/imports 20\d$/,
      },
      {
        text: 'It knows its own columns. Press “Preview”.',
        say: 'Nothing is changed by choosing a file.',
        until: /^POST \/bff\/imports\/[^/]+\/job 20\d$/,
      },
      {
        text: 'The preview says who is new, who changes and who stays as they are. Open “Activity” when you have seen it.',
        say: 'Who was edited since the export is left out, so that an old file overwrites nothing.',
        until: /^page \/activity/,
      },
    ],
  },
};
