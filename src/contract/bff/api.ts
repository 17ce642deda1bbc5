import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { bffBase, firstReads, sessionPath } from './paths.ts';
import { accountApi, Session, SignInWays } from './session.ts';
import { draftApi } from './draft.ts';
import { ExportQuery } from './export-query.ts';
import { FindByToken, FindPreviousToken, PreviousToken } from './access-token.ts';
import { ActivityPage, ActivityQuery, ActivityTotals, EntryFilter, EntryId } from './journal.ts';
import { jobApi } from './job-api.ts';
import { BundleList, SaveBundlesBody } from './bundle.ts';
import { AddMessageBody, ChangeMessageBody, Message, MessageId } from './message.ts';
import { Scan, ScanFilter } from './scan.ts';
import { Overview, OverviewChanges, OverviewChangesQuery } from './overview.ts';
import type { BffEndpoint, StaffOperation } from './permission.ts';
import { Credentials, ChangePasswordBody } from './password.ts';
import { passkeyApi } from './passkey.ts';
import { recentApi } from './recent.ts';
import { secondFactorApi } from './second-factor.ts';
import { AddStaffBody, ChangeStaffBody, StaffId, StaffMember, StaffWithPassword } from './staff.ts';
import { SubscriberDetail, SubscriberId, SubscriberWithLists } from '../service/subscriber.ts';
import { api } from '../service/api.ts';
import { viewApi } from './view.ts';

/** The OpenID provider's page that ends the session there as well. It must never be a `javascript:` address. */
const SignOutElsewhere = z.object({ goOnTo: z.string().check(z.regex(/^https?:\/\//)) });

/** The BFF's own operations. */
export const bffApi = {
  /** The current user, and what they may do. */
  getSession: {
    ...firstReads.bff.getSession,
    access: 'signed-in',
    oneTimePassword: true,
    answer: Session,
  },
  getSignInWays: {
    ...firstReads.bff.getSignInWays,
    access: 'public',
    answer: SignInWays,
  },
  signIn: {
    method: 'POST',
    path: sessionPath,
    access: 'public',
    body: Credentials,
    answer: Session,
  },
  /** After single sign-on, answers the page that signs out there too. */
  signOut: {
    method: 'DELETE',
    path: sessionPath,
    access: 'signed-in',
    budget: null,
    oneTimePassword: true,
    answer: z.optional(SignOutElsewhere),
  },
  /** The token is sent in the body to keep it out of addresses and logs. */
  getSubscriberByToken: {
    method: 'POST',
    path: `${bffBase}/find-by-token`,
    access: 'getSubscriberByToken',
    budget: 'tokenSearch',
    body: FindByToken,
    answer: SubscriberWithLists,
  },
  /** The last subscriber of an access token that nobody has any more, and who ended it, if that was done here. */
  getPreviousToken: {
    method: 'POST',
    path: `${bffBase}/find-previous-token`,
    access: 'getSubscriberByToken',
    budget: 'tokenSearch',
    body: FindPreviousToken,
    answer: PreviousToken,
  },
  /** The access token, which all other reads mask; the journal records who got it. */
  revealToken: {
    method: 'POST',
    path: `${bffBase}/subscribers/{id}/reveal-token`,
    access: 'seeAccessToken',
    params: SubscriberId,
    answer: z.object({ accessToken: z.string() }),
  },
  /** All other sessions of the account end. */
  changePassword: {
    method: 'PUT',
    path: `${bffBase}/password`,
    access: 'signed-in',
    oneTimePassword: true,
    budget: 'password',
    body: ChangePasswordBody,
    answer: Session,
  },
  ...accountApi,
  ...secondFactorApi,
  ...passkeyApi,
  ...draftApi,
  ...recentApi,
  ...viewApi,
  listMessages: {
    method: 'GET',
    path: `${bffBase}/messages`,
    access: 'signed-in',
    answer: z.array(Message),
  },
  addMessage: {
    method: 'POST',
    path: `${bffBase}/messages`,
    access: 'manageMessages',
    body: AddMessageBody,
    answer: Message,
  },
  /** Replaces a message, unless somebody else has changed it meanwhile. */
  changeMessage: {
    method: 'PUT',
    path: `${bffBase}/messages/{id}`,
    access: 'manageMessages',
    params: MessageId,
    body: ChangeMessageBody,
    answer: Message,
  },
  /** After the last one, those that were there at first come back. */
  deleteMessage: {
    method: 'DELETE',
    path: `${bffBase}/messages/{id}`,
    access: 'manageMessages',
    params: MessageId,
    answer: z.undefined(),
  },
  listBundles: {
    method: 'GET',
    path: `${bffBase}/bundles`,
    access: 'signed-in',
    answer: BundleList,
  },
  /** Replaces the whole list, unless somebody else has changed it meanwhile. */
  saveBundles: {
    method: 'PUT',
    path: `${bffBase}/bundles`,
    access: 'saveBundles',
    body: SaveBundlesBody,
    answer: BundleList,
  },
  listStaff: {
    method: 'GET',
    path: `${bffBase}/staff`,
    access: 'listStaff',
    answer: z.array(StaffMember),
  },
  /** Answers the one-time password, which no other request returns. */
  addStaff: {
    method: 'POST',
    path: `${bffBase}/staff`,
    access: 'addStaff',
    budget: 'password',
    proof: true,
    body: AddStaffBody,
    answer: StaffWithPassword,
  },
  /** Its sessions end. */
  changeStaff: {
    method: 'PUT',
    path: `${bffBase}/staff/{id}`,
    access: 'changeStaff',
    proof: ({ body: { role = 'viewer', disabled } }: { body: ChangeStaffBody }) =>
      role !== 'viewer' || disabled === false,
    params: StaffId,
    body: ChangeStaffBody,
    answer: StaffMember,
  },
  endStaffSessions: {
    method: 'DELETE',
    path: `${bffBase}/staff/{id}/sessions`,
    access: 'endStaffSessions',
    params: StaffId,
    answer: z.object({ ended: z.int() }),
  },
  /** Its sessions end. */
  resetStaffPassword: {
    method: 'POST',
    path: `${bffBase}/staff/{id}/one-time-password`,
    access: 'resetStaffPassword',
    budget: 'password',
    proof: true,
    params: StaffId,
    answer: StaffWithPassword,
  },
  /** For an account whose owner has lost it; its sessions end. */
  resetSecondFactor: {
    method: 'DELETE',
    path: `${bffBase}/staff/{id}/second-factor`,
    access: 'resetStaffPassword',
    proof: true,
    params: StaffId,
    answer: StaffMember,
  },
  listActivity: {
    method: 'GET',
    path: `${bffBase}/activity`,
    access: 'listActivity',
    budget: 'list',
    query: ActivityQuery,
    answer: ActivityPage,
  },
  totalActivity: {
    method: 'GET',
    path: `${bffBase}/activity/totals`,
    access: 'seeAllActivity',
    budget: 'list',
    query: EntryFilter,
    answer: ActivityTotals,
  },
  /** All entries that match a filter, newest first, as JSON lines; the last line is their number. */
  exportActivity: {
    method: 'GET',
    path: `${bffBase}/activity/export`,
    access: 'listActivity',
    budget: 'export',
    query: EntryFilter,
    answer: z.instanceof(Response),
    streamed: true,
  },
  /** Answers the record; if that deletes it, as it last was. */
  undoChange: {
    method: 'POST',
    path: `${bffBase}/activity/{id}/undo`,
    access: 'undoChange',
    params: EntryId,
    answer: SubscriberDetail,
  },
  exportSubscribers: {
    method: 'GET',
    path: `${bffBase}/export`,
    access: 'exportSubscribers',
    budget: 'export',
    proof: ({ query }: { query: ExportQuery }) => query.tokens === true,
    query: ExportQuery,
    answer: z.instanceof(Response),
    streamed: true,
  },
  /** Begins one, if there is none that is some minutes old at most. When it has ended, listSubscribers answers the list. */
  getScan: {
    method: 'GET',
    path: `${bffBase}/scan`,
    access: 'listSubscribers',
    budget: 'list',
    query: ScanFilter,
    answer: Scan,
  },
  /** Begins a new one. */
  startScan: {
    method: 'POST',
    path: `${bffBase}/scan`,
    access: 'listSubscribers',
    budget: 'list',
    query: ScanFilter,
    answer: Scan,
  },
  /** Ends it, unless somebody else waits for it; what it has found so far stays. */
  stopScan: {
    method: 'DELETE',
    path: `${bffBase}/scan`,
    access: 'listSubscribers',
    query: ScanFilter,
    answer: z.undefined(),
  },
  /** Counted at most once a minute. */
  getOverview: {
    method: 'GET',
    path: `${bffBase}/overview`,
    access: 'listSubscribers',
    budget: 'list',
    answer: Overview,
  },
  getOverviewChanges: {
    method: 'GET',
    path: `${bffBase}/overview/changes`,
    access: 'listActivity',
    budget: 'list',
    query: OverviewChangesQuery,
    answer: OverviewChanges,
  },
  ...jobApi,
} as const satisfies Record<string, BffEndpoint>;

export type BffApi = typeof bffApi;

/**
 * The service's operations under `/api`: the same rows, with a permission instead of the scope. Without the search by
 * token, whose path would put a secret into an address.
 */
export const proxiedApi = {
  listSubscribers: {
    ...api.listSubscribers,
    query: z.omit(api.listSubscribers.query, { include: true }),
    access: 'listSubscribers',
    budget: 'list',
  },
  getSubscriber: { ...api.getSubscriber, access: 'getSubscriber' },
  createSubscriber: { ...api.createSubscriber, access: 'createSubscriber' },
  updateSubscriber: { ...api.updateSubscriber, access: 'updateSubscriber' },
  deleteSubscriber: { ...api.deleteSubscriber, access: 'deleteSubscriber' },
  regenerateToken: { ...api.regenerateToken, access: 'regenerateToken' },
  listStatuses: { ...api.listStatuses, access: 'listStatuses' },
} as const satisfies Record<Exclude<StaffOperation, 'getSubscriberByToken'>, BffEndpoint>;
