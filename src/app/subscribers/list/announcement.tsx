import { useState } from 'react';
import type { SubscriberPage } from '../../../contract/service/list-query.ts';
import { counted, grouped } from '../../components/count.ts';

/**
 * Tells whoever hears the page what came of it, once: after paging the page, else how many there are.
 *
 * @param list what the list is of, whatever the page
 */
export function Announcement({ list, page }: { list: string; page: SubscriberPage | undefined }) {
  const [told, setTold] = useState({ list: '', page: 0, total: 0, sentence: '' });
  const isNew = page && (told.list !== list || told.page !== page.page || told.total !== page.totalCount);
  if (page && isNew) {
    const paged = told.list === list && told.page !== page.page;
    setTold({
      list,
      page: page.page,
      total: page.totalCount,
      sentence: paged ? pageOf(page) : countOf(page),
    });
  }
  return (
    <p role="status" className="visually-hidden">
      {page && told.sentence}
    </p>
  );
}

const pageOf = ({ page, totalPages }: SubscriberPage) => `Page ${grouped(page)} of ${grouped(totalPages)}.`;

const countOf = ({ totalCount }: SubscriberPage) =>
  totalCount === 0 ? 'Nobody matches.' : `${counted(totalCount, 'subscriber')}.`;
