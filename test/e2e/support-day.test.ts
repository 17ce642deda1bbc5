import { describe } from 'vitest';
import { ownService, testWorkingDay } from '../support/e2e/working-day.ts';

describe('a support agent’s day', () => {
  testWorkingDay(ownService, { axe: true });
});
