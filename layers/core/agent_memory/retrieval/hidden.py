"""Which rows of an index a deletion of scopes hides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_memory.scopes import Scope

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from agent_memory.retrieval.rows import Rows
    from agent_memory.visibility import Visibility


def hidden_rows(rows: Rows, visible: Visibility) -> NDArray[np.int64]:
    """The living rows that are hidden; each pair of a conversation and a birth is judged once."""
    import numpy as np

    living = np.flatnonzero(rows.alive)
    births = np.stack((rows.scope_codes, rows.born_life, rows.born_generation), axis=1)[living]
    order = np.lexsort(births.T)
    changes = (births[order][1:] != births[order][:-1]).any(axis=1)
    numbers = np.empty(len(living), np.int64)
    numbers[order] = np.append(0, np.cumsum(changes))[: len(living)]
    first = order[np.append(True, changes)[: len(living)]]
    hides = [
        visible.hides(_scope(rows.scopes[code]), (life, generation))
        for code, life, generation in births[first].tolist()
    ]
    return living[np.array(hides, np.bool_)[numbers]]


def _scope(levels: tuple[str, str, str, str]) -> Scope:
    app, tenant, agent, run = levels
    return Scope.model_construct(app_id=app, tenant_id=tenant, agent_id=agent, run_id=run)
