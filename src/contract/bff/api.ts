import '../http/zod-config.ts';
import * as z from 'zod/mini';
import { bffBase } from './paths.ts';
import { accountApi } from './account.ts';
import { bffReadApi, Session } from './session.ts';
import { draftApi } from './draft.ts';
import { ExportQuery } from './export-query.ts';
import { FindByToken, FindFormerToken, FormerToken } from './find-by-token.ts';
import { ActivityPage, ActivityQuery, ActivityTotals, EntryFilter, EntryId } from './journal.ts';
import {
  ImportRows,
  Job,
  JobId,
  JobPage,
  JobRowPage,
  JobRowsQuery,
  JobsQuery,
  NewImport,
  NewJob,
  StartJob,
} from './job.ts';
import { AddMessageBody, ChangeMessageBody, Message, MessageId } from './message.ts';
import { Overview, OverviewChanges, OverviewChangesQuery } from './overview.ts';
import type { BffEndpoint, StaffOperation } from './permission.ts';
import { Credentials } from './credentials.ts';
import { ChangePasswordBody } from './password.ts';
import { passkeyApi } from './passkey.ts';
import { recentApi } from './recent.ts';
import { Proof, secondFactorApi } from './second-factor.ts';
import { AddStaffBody, ChangeStaffBody, StaffId, StaffMember, StaffWithPassword } from './staff.ts';
import { SubscriberDetail, SubscriberId, SubscriberWithLists } from '../service/subscriber.ts';
import { api } from '../service/api.ts';
import { View } from './view.ts';
import { AddViewBody, ChangeViewBody, ViewId } from './view-bodies.ts';

/** The OpenID provider's page that ends the session there as well. It must never be a `javascript:` address. */
const SignOutElsewhere = z.object({ goOnTo: z.string().check(z.regex(/^https?:\/\//)) });

/** The BFF's own operations. */
export const bffApi = {
  getSession: bffReadApi.getSession,
  signIn: {
    method: 'POST',
    path: `${bffBase}/session`,
    summary: 'Sign in with a local account',
    access: 'public',
    body: Credentials,
    answer: Session,
  },
  signOut: {
    method: 'DELETE',
    path: `${bffBase}/session`,
    summary: 'Sign out; after single sign-on, answers the page that signs out there too',
    access: 'signed-in',
    oneTimePassword: true,
    answer: z.optional(SignOutElsewhere),
  },
  getSignInWays: bffReadApi.getSignInWays,
  getSubscriberByToken: {
    method: 'POST',
    path: `${bffBase}/find-by-token`,
    summary: 'Find a subscriber by its token, which is sent in the body to keep it out of addresses and logs',
    access: 'getSubscriberByToken',
    budget: 'tokenSearch',
    body: FindByToken,
    answer: SubscriberWithLists,
  },
  getFormerToken: {
    method: 'POST',
    path: `${bffBase}/find-former-token`,
    summary: 'Whose an access token was that nobody has any more, and who ended it, if that was done here',
    access: 'getSubscriberByToken',
    budget: 'tokenSearch',
    body: FindFormerToken,
    answer: FormerToken,
  },
  revealToken: {
    method: 'POST',
    path: `${bffBase}/subscribers/{id}/reveal-token`,
    summary: 'The access token of a subscriber, which all other reads mask; the journal records who got it',
    access: 'seeAccessToken',
    budget: 'read',
    params: SubscriberId,
    answer: z.object({ accessToken: z.string() }),
  },
  changePassword: {
    method: 'PUT',
    path: `${bffBase}/password`,
    summary: 'Change your own password; all other sessions of the account end',
    access: 'signed-in',
    oneTimePassword: true,
    body: ChangePasswordBody,
    answer: Session,
  },
  ...accountApi,
  ...secondFactorApi,
  ...passkeyApi,
  ...draftApi,
  ...recentApi,
  listViews: bffReadApi.listViews,
  addView: {
    method: 'POST',
    path: `${bffBase}/views`,
    summary: 'Save a view under a name, after your others; managers can share it with everybody',
    access: 'signed-in',
    body: AddViewBody,
    answer: View,
  },
  changeView: {
    method: 'PUT',
    path: `${bffBase}/views/{id}`,
    summary: 'Rename, move, update or share one of your views, or, as a manager, a shared one',
    access: 'signed-in',
    params: ViewId,
    body: ChangeViewBody,
    answer: View,
  },
  deleteView: {
    method: 'DELETE',
    path: `${bffBase}/views/{id}`,
    summary: 'Delete one of your views, or, as a manager, a shared one',
    access: 'signed-in',
    params: ViewId,
    answer: z.undefined(),
  },
  listMessages: {
    method: 'GET',
    path: `${bffBase}/messages`,
    summary: 'List the messages that staff copy for subscribers',
    access: 'signed-in',
    answer: z.array(Message),
  },
  addMessage: {
    method: 'POST',
    path: `${bffBase}/messages`,
    summary: 'Add a message to copy for subscribers',
    access: 'manageMessages',
    body: AddMessageBody,
    answer: Message,
  },
  changeMessage: {
    method: 'PUT',
    path: `${bffBase}/messages/{id}`,
    summary: 'Replace a message, unless somebody else has changed it meanwhile',
    access: 'manageMessages',
    params: MessageId,
    body: ChangeMessageBody,
    answer: Message,
  },
  deleteMessage: {
    method: 'DELETE',
    path: `${bffBase}/messages/{id}`,
    summary: 'Delete a message; after the last one, those that were there at first come back',
    access: 'manageMessages',
    params: MessageId,
    answer: z.undefined(),
  },
  listStaff: {
    method: 'GET',
    path: `${bffBase}/staff`,
    summary: 'List the staff accounts, by name',
    access: 'listStaff',
    answer: z.array(StaffMember),
  },
  addStaff: {
    method: 'POST',
    path: `${bffBase}/staff`,
    summary: 'Add a staff account; answers its one-time password, which no other request returns',
    access: 'addStaff',
    body: AddStaffBody,
    answer: StaffWithPassword,
  },
  changeStaff: {
    method: 'PUT',
    path: `${bffBase}/staff/{id}`,
    summary: 'Change the role of an account, disable or enable it; its sessions end',
    access: 'changeStaff',
    params: StaffId,
    body: ChangeStaffBody,
    answer: StaffMember,
  },
  endStaffSessions: {
    method: 'DELETE',
    path: `${bffBase}/staff/{id}/sessions`,
    summary: 'Sign an account out everywhere; answers how many sessions ended',
    access: 'endStaffSessions',
    params: StaffId,
    answer: z.object({ ended: z.int() }),
  },
  resetStaffPassword: {
    method: 'POST',
    path: `${bffBase}/staff/{id}/one-time-password`,
    summary: 'Replace the password of an account with a one-time password; its sessions end',
    access: 'resetStaffPassword',
    params: StaffId,
    answer: StaffWithPassword,
  },
  resetSecondFactor: {
    method: 'POST',
    path: `${bffBase}/staff/{id}/second-factor/removal`,
    summary: 'Remove the second factor of an account whose owner has lost it; its sessions end',
    access: 'resetStaffPassword',
    params: StaffId,
    body: Proof,
    answer: StaffMember,
  },
  listActivity: {
    method: 'GET',
    path: `${bffBase}/activity`,
    summary: 'List the activity: who did what, newest first',
    access: 'listActivity',
    budget: 'list',
    query: ActivityQuery,
    answer: ActivityPage,
  },
  totalActivity: {
    method: 'GET',
    path: `${bffBase}/activity/totals`,
    summary: 'Count the entries that match a filter, by person and by what they did',
    access: 'seeAllActivity',
    budget: 'list',
    query: EntryFilter,
    answer: ActivityTotals,
  },
  exportActivity: {
    method: 'POST',
    path: `${bffBase}/activity/exports`,
    summary: 'Record that the entries that match a filter are exported; the lists answer them',
    access: 'listActivity',
    query: ActivityQuery,
    answer: z.undefined(),
  },
  undoChange: {
    method: 'POST',
    path: `${bffBase}/activity/{id}/undo`,
    summary: 'Undo a change; answers the record; if that deletes it, as it last was',
    access: 'undoChange',
    params: EntryId,
    answer: SubscriberDetail,
  },
  exportSubscribers: {
    method: 'GET',
    path: `${bffBase}/export`,
    summary: 'Get all subscribers that match the filters as a file; the journal records it',
    access: 'exportSubscribers',
    query: ExportQuery,
    answer: z.instanceof(Response),
    streamed: true,
  },
  getOverview: {
    method: 'GET',
    path: `${bffBase}/overview`,
    summary: 'Count subscribers by plan, status and the week in which they expire, at most once a minute',
    access: 'listSubscribers',
    budget: 'list',
    answer: Overview,
  },
  getOverviewChanges: {
    method: 'GET',
    path: `${bffBase}/overview/changes`,
    summary: 'Count what was changed here, by day, and the trials that became paid, by week',
    access: 'listActivity',
    budget: 'list',
    query: OverviewChangesQuery,
    answer: OverviewChanges,
  },
  createJob: {
    method: 'POST',
    path: `${bffBase}/jobs`,
    summary: 'Prepare a change of many subscribers; nothing is changed until it is started',
    access: 'runJobs',
    body: NewJob,
    answer: Job,
  },
  createImport: {
    method: 'POST',
    path: `${bffBase}/imports`,
    summary: 'Begin an import; its rows are sent next',
    access: 'runJobs',
    body: NewImport,
    answer: Job,
  },
  addImportRows: {
    method: 'PUT',
    path: `${bffBase}/imports/{id}/rows`,
    summary: 'Send some rows of a file; when all are here, the job is prepared',
    access: 'runJobs',
    params: JobId,
    body: ImportRows,
    answer: z.undefined(),
  },
  listJobs: {
    method: 'GET',
    path: `${bffBase}/jobs`,
    summary: 'List the jobs of everybody, newest first',
    access: 'runJobs',
    query: JobsQuery,
    answer: JobPage,
  },
  getJob: {
    method: 'GET',
    path: `${bffBase}/jobs/{id}`,
    summary: 'Get a job with its preview and how far it is',
    access: 'runJobs',
    params: JobId,
    answer: Job,
  },
  listJobRows: {
    method: 'GET',
    path: `${bffBase}/jobs/{id}/rows`,
    summary: 'List the subscribers of a job, with what is to become or has become of each',
    access: 'runJobs',
    params: JobId,
    query: JobRowsQuery,
    answer: JobRowPage,
  },
  startJob: {
    method: 'POST',
    path: `${bffBase}/jobs/{id}/start`,
    summary: 'Start a job that is ready, or continue one that is paused or stopped',
    access: 'runJobs',
    params: JobId,
    body: StartJob,
    answer: Job,
  },
  pauseJob: {
    method: 'POST',
    path: `${bffBase}/jobs/{id}/pause`,
    summary: 'Pause a job; changes that are under way are made',
    access: 'runJobs',
    params: JobId,
    answer: Job,
  },
  stopJob: {
    method: 'POST',
    path: `${bffBase}/jobs/{id}/stop`,
    summary: 'Stop a job, or give up one that was only prepared',
    access: 'runJobs',
    params: JobId,
    answer: Job,
  },
  retryJob: {
    method: 'POST',
    path: `${bffBase}/jobs/{id}/retry`,
    summary: 'Try the rows of a job again that failed, or whose outcome nobody knows',
    access: 'runJobs',
    params: JobId,
    answer: Job,
  },
  undoJob: {
    method: 'POST',
    path: `${bffBase}/jobs/{id}/undo`,
    summary: 'Prepare the job that undoes another one; answers the new job',
    access: 'runJobs',
    params: JobId,
    answer: Job,
  },
} as const satisfies Record<string, BffEndpoint>;

export type BffApi = typeof bffApi;

/**
 * The service's operations under `/api`: the same rows, with a permission instead of the scope. Without the search by
 * token, whose path would put a secret into an address.
 */
export const proxiedApi = {
  listSubscribers: { ...api.listSubscribers, access: 'listSubscribers', budget: 'list' },
  getSubscriber: { ...api.getSubscriber, access: 'getSubscriber' },
  createSubscriber: { ...api.createSubscriber, access: 'createSubscriber' },
  updateSubscriber: { ...api.updateSubscriber, access: 'updateSubscriber' },
  deleteSubscriber: { ...api.deleteSubscriber, access: 'deleteSubscriber' },
  regenerateToken: { ...api.regenerateToken, access: 'regenerateToken' },
  listStatuses: { ...api.listStatuses, access: 'listStatuses' },
} as const satisfies Record<Exclude<StaffOperation, 'getSubscriberByToken'>, BffEndpoint>;
