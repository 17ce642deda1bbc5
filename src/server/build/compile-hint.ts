import type { Plugin } from 'vite';

/**
 * Has the browser compile the file of the first view whole while it is on its way, beside the page's own work: on
 * a slow line that time is free. Browsers that know nothing of such hints compile piece by piece.
 *
 * @see https://v8.dev/blog/explicit-compile-hints
 */
export function compileHint(): Plugin {
  return {
    name: 'compile-hint',
    apply: 'build',
    generateBundle: {
      // It has to be the first line, before what the bundler puts there.
      order: 'post',
      handler(_options, bundle) {
        for (const output of Object.values(bundle))
          if (output.type === 'chunk' && output.isEntry)
            output.code = `//# allFunctionsCalledOnLoad\n${output.code}`;
      },
    },
  };
}
