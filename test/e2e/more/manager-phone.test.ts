import { describe } from 'vitest';
import { testManagersChange } from '../../support/e2e/manager-change.ts';

describe('a manager’s change of many subscribers at a phone', () => {
  testManagersChange({ width: 390, height: 844 });
});
