const beginning = `# Subscriber Desk

A web dashboard for the staff of a TV and streaming service. This package has all of it: the dashboard, the server, a
Subscriber Management Service and the demo.

## Run it

In an empty folder, with the file of this package beside it:

\`\`\`sh
npx ./subscriber-desk-*.tgz            # the dashboard; prints the address and, once, a one-time password
npx ./subscriber-desk-*.tgz demo       # the demo; nothing leaves the browser's tab
npx ./subscriber-desk-*.tgz help       # the other commands
\`\`\`

Or install it with \`npm install --global\`, then \`subscriber-desk\` is the command.

It needs Node 26, and npm installs one with it. Where yours is as new, \`--omit=optional\` leaves that one out, which saves
most of the space.

Data is kept in \`./data/\`. Ctrl-C stops the server. To update, install a newer package and restart: the tables are
updated at the start. An older version refuses to start on them, so make a backup first.

What others wrote is under the licences in \`THIRD-PARTY-LICENCES.txt\`, the rest under that in \`LICENSE\`.
`;

/**
 * The README of the package: how to run it, and from the server's README what holds there as well.
 *
 * @throws if the server's README has other sections than it had
 */
export function packageReadme(serverReadme: string): string {
  const [, operation] = /\n(## Configuration\n[^]+)\n### Updates\n/.exec(serverReadme) ?? [];
  if (operation === undefined)
    throw new Error('The README of the server has no text from “Configuration” to “Updates”.');
  return `${beginning}\n${asInPackage(operation)}`;
}

function asInPackage(text: string): string {
  return (
    text
      .replace(
        /npm run (?:desk -- |(service) -- )/g,
        (_, service) => `subscriber-desk ${service ? 'service ' : ''}`,
      )
      .replace(/npm run (service|demo)\b/g, 'subscriber-desk $1')
      .replaceAll('npm start', 'subscriber-desk')
      // The other documents are not in the package.
      .replace(/\[([^\]]+)\]\((?!#)[^)]+\)/g, '$1')
  );
}
