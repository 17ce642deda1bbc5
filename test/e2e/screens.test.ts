import { describe, expect, test } from 'vitest';
import { may, roles, type Role } from '../../src/contract/bff/permission.ts';
import { accessibilityFaults } from '../support/e2e/axe.ts';
import { openPage } from '../support/e2e/browser.ts';
import { layoutFaultsAt } from '../support/e2e/layout-faults.ts';
import { startProduct } from '../support/e2e/product.ts';
import { signInRoles } from '../support/e2e/roles.ts';
import { pages, playlist, showPage } from '../support/e2e/screens.ts';

const server = await startProduct('start', playlist);
const signedIn = await signInRoles(server);
const open = async (role: Role) => (await openPage({ storageState: signedIn[role] })).page;
const pageOf = {
  viewer: await open('viewer'),
  support: await open('support'),
  manager: await open('manager'),
};

/** Each role has one page, which goes from screen to screen. */
describe('every screen, as each role sees it', () => {
  test.each(Object.entries(pages))('%s has no fault of layout or accessibility', async (_name, screen) => {
    const faults = async (role: Role) => {
      const page = pageOf[role];
      await page.goto(`${server.url}${screen.at}`);
      await showPage(screen, (permission) => may(role, permission))(page);
      return [...(await layoutFaultsAt(page, [1024, 390, 320, 1440])), ...(await accessibilityFaults(page))];
    };
    const seenBy = screen.roles ?? roles;
    const found = await Promise.all(seenBy.map(async (role) => [role, await faults(role)] as const));
    expect(found).toEqual(seenBy.map((role) => [role, []]));
  });
});
