import type { Role } from '../../contract/bff/permission.ts';

export const roleNames: Readonly<Record<Role, string>> = {
  viewer: 'Viewer',
  support: 'Support',
  manager: 'Manager',
};
