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

/** Parts of the project's documents that hold in the package, too. */
const parts = {
  'src/server/README.md': /\n(## Configuration\n[^]+)\n### Updates\n/,
  'src/service/README.md': /\n(## Variables of the service\n[^]+?)\n## /,
  'src/bff/README.md': /\n(## A dialect\n[^]+?)\n## /,
  '.github/SECURITY.md': /\n(## What is stored\n[^]+)$/,
};

/**
 * The README of the package: how to run it, and what else holds there.
 *
 * @param read reads a document of the project
 * @throws if a document has other sections than it had
 */
export function packageReadme(read: (path: string) => string): string {
  const texts = Object.entries(parts).map(([path, part]) => {
    const [, text] = part.exec(read(path)) ?? [];
    if (text === undefined) throw new Error(`${path} has not the text that the package needs: ${part}`);
    return asInPackage(text);
  });
  return [beginning, ...texts].join('\n');
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
      .replaceAll('src/server/deploy/', 'deploy/')
      // These sections are in the package, the other documents are not.
      .replace(
        /\([^()#]+(?=#(?:variables-of-the-service|a-dialect|what-is-stored|personal-data|a-service-elsewhere|log-metrics-and-traces|operation)\))/g,
        '(',
      )
      .replace(/\[([^\]]+)\]\((?!#)[^)]+\)/g, '$1')
  );
}
