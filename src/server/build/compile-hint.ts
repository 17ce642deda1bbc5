import type { Plugin } from 'vite';

/**
 * Tells the browser to compile the whole file of the first view on a background thread while it loads. Without it the
 * first row comes 9 % later on a slow phone (processor ÷ 4, 1.6 Mbit/s; median of 22 interleaved loads); on a fast
 * machine there is no difference.
 *
 * @see https://v8.dev/blog/explicit-compile-hints
 */
export function compileHint(): Plugin {
  return {
    name: 'compile-hint',
    apply: 'build',
    generateBundle: {
      // It must be the first line of the file, before what the bundler adds.
      order: 'post',
      handler(_options, bundle) {
        for (const output of Object.values(bundle))
          if (output.type === 'chunk' && output.isEntry)
            output.code = `//# allFunctionsCalledOnLoad\n${output.code}`;
      },
    },
  };
}
