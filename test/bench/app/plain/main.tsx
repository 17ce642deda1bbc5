/**
 * The least that shows and turns the same list with the same libraries, against the same server: what the dashboard
 * costs beyond it is the dashboard's own. It knows nothing of sign-in, errors, filters or focus.
 */
import {
  keepPreviousData,
  queryOptions,
  QueryClient,
  QueryClientProvider,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import {
  createRootRoute,
  createRoute,
  createRouter,
  Link,
  RouterProvider,
  useNavigate,
} from '@tanstack/react-router';
import { StrictMode, useEffect } from 'react';
import { createRoot } from 'react-dom/client';
import { useForm } from 'react-hook-form';
import type { SubscriberPage } from '../../../../src/contract/service/list-query.ts';
import './main.css';

const expiry = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short' });

const pageQuery = (page: number) =>
  queryOptions({
    queryKey: ['subscribers', page],
    queryFn: async () => {
      const search = page > 1 ? `?Page=${page}` : '';
      const answer = await fetch(`/api/subscribers${search}`, { headers: { 'X-CSRF': '1' } });
      return (await answer.json()) as SubscriberPage;
    },
    staleTime: 30_000,
  });
const columns = ['Username', 'Email', 'Status', 'Expires', 'Plan', 'Connections', 'Formats'];

function List() {
  const { page = 1 }: ListSearch = listRoute.useSearch();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { data, isPlaceholderData } = useQuery({ ...pageQuery(page), placeholderData: keepPreviousData });
  useEffect(() => {
    if (data && !isPlaceholderData) void client.prefetchQuery(pageQuery(page + 1));
  }, [client, data, isPlaceholderData, page]);
  return (
    <main>
      <Link to="/subscribers/new">New subscriber</Link>
      <table aria-busy={!data || isPlaceholderData}>
        <thead>
          <tr>
            {columns.map((name) => (
              <th key={name}>{name}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {data?.items.map((one) => (
            <tr key={one.id}>
              <th scope="row">
                <a id={`subscriber-${one.id}`} href={`/subscribers/${one.id}`}>
                  {one.username}
                </a>
              </th>
              <td>{one.email}</td>
              <td>{one.status}</td>
              <td>{expiry.format(new Date(one.expiresAt))}</td>
              <td>{one.isTrial && 'Trial'}</td>
              <td>{one.maxConnections}</td>
              <td>{[one.hls && 'HLS', one.mpegTs && 'MPEG-TS'].filter(Boolean).join(', ')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        Page {page} of {data?.totalPages}
      </p>
      <button
        aria-label="Next page"
        onClick={() => void navigate({ to: '/subscribers', search: { page: page + 1 } })}
      >
        Next
      </button>
    </main>
  );
}

function Form() {
  const { register } = useForm({ defaultValues: { username: '' } });
  return (
    <form>
      <label>
        Username <input {...register('username')} />
      </label>
    </form>
  );
}

interface ListSearch {
  page?: number;
}
const root = createRootRoute();
const listRoute = createRoute({
  getParentRoute: () => root,
  path: '/subscribers',
  component: List,
  validateSearch: (search: ListSearch): ListSearch => search,
});
const formRoute = createRoute({ getParentRoute: () => root, path: '/subscribers/new', component: Form });
const router = createRouter({ routeTree: root.addChildren([listRoute, formRoute]) });

const container = document.getElementById('root');
if (container)
  createRoot(container).render(
    <StrictMode>
      <QueryClientProvider client={new QueryClient()}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
