/**
 * Configures zod for all schemas of the contract. Each file that builds an object schema imports this first, because
 * zod reads its configuration when it builds one.
 */
import * as z from 'zod/mini';

z.config({
  // Otherwise zod compiles parsers with `new Function`, which the page's content security policy forbids and reports.
  jitless: true,
});
