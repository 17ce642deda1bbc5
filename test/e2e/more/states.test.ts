import { describe, expect, test } from 'vitest';
import { may, roles, type Role } from '../../../src/contract/bff/permission.ts';
import { accessibilityFaults } from '../../support/e2e/axe.ts';
import { openPage } from '../../support/e2e/browser.ts';
import { layoutFaultsAt } from '../../support/e2e/layout-faults.ts';
import { startProduct } from '../../support/e2e/product.ts';
import { signInRoles } from '../../support/e2e/roles.ts';
import { playlist } from '../../support/e2e/screens.ts';
import { states } from '../../support/e2e/states.ts';

const server = await startProduct('start', playlist);
const signedIn = await signInRoles(server);

describe('every dialog, selection and fault of a screen', () => {
  test.each(Object.entries(states).filter(([, { stops }]) => !stops))(
    '%s has no fault of layout or accessibility',
    async (_name, { needs, before, at, show }) => {
      // Those with the fewest and the most permissions: nothing is wider for the role between them.
      const able = roles.filter((role) => needs === undefined || may(role, needs));
      const [fewest, most] = [able[0], able.at(-1)] as [Role, Role];
      const measure = async (role: Role) => {
        const { page } = await openPage({ storageState: signedIn[role] });
        await before?.(page);
        await page.goto(`${server.url}${at ?? '/subscribers'}`);
        await show(page);
        const faults = await layoutFaultsAt(page, [1440, 1024, 320, 390]);
        if (role === most) faults.push(...(await accessibilityFaults(page)));
        const isModal = (await page.locator(':modal').count()) > 0;
        await page.context().close();
        return { faults, isModal };
      };
      const found = await measure(most);
      // A modal dialog is looked at alone, and it is the same for everybody who may open it.
      const isEnough = found.isModal || fewest === most;
      expect([...found.faults, ...(isEnough ? [] : (await measure(fewest)).faults)]).toEqual([]);
    },
  );
});
