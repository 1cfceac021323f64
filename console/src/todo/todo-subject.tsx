import { screenFor } from '@sangam/contract/screens.ts';
import { Copyable } from '../figures/copyable.tsx';
import { ListLink } from '../operator-table/list-link.tsx';
import { orderPath } from '../navigation/place.ts';
import { useTabLocation } from '../navigation/tab-location.ts';
import { useViewer } from '../session/viewer.ts';
import type { Todo } from './todo.ts';

/** The order, merchant or supplier a request is about, as a link to it. */
export function TodoSubject({ todo }: { readonly todo: Todo }) {
  const { access } = useViewer();
  const { openTab } = useTabLocation();
  const { subjectKind, subjectId, direction } = todo;
  const subject = todo.subjectName ?? subjectId;
  if (subjectKind === 'merchant' || subjectKind === 'supplier')
    return (
      <ListLink list={subjectKind === 'merchant' ? 'merchants' : 'suppliers'} filters={{ name: subject }}>
        {subject}
      </ListLink>
    );
  if (subjectKind !== 'order') return <>{subject}</>;
  const list = direction && screenFor(access, direction === 'in' ? 'collectionOrders' : 'payoutOrders');
  if (!list) return <Copyable text={subjectId} limit={24} />;
  const path = orderPath(list.path, subjectId);
  return (
    <a
      className="figures"
      href={path}
      onClick={(event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey) return;
        event.preventDefault();
        event.stopPropagation();
        openTab(path);
      }}
    >
      {subjectId}
    </a>
  );
}
