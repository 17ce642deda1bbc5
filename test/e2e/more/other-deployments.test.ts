import { describe } from 'vitest';
import { deployments } from '../../support/e2e/deployments.ts';
import { testWorkingDay } from '../../support/e2e/working-day.ts';

describe.each(deployments)('a support agent’s day, $name', (deployment) => {
  testWorkingDay(deployment, { axe: false });
});
