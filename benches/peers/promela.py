"""The five systems in Promela, which cannot loop over the number of components itself.

Each has the same reachable graph as the script of its name beside this file, state for state.
"""


def hanoi(poles, discs):
    """`pos[d]` is the pole of disc d; disc 0 is the smallest."""
    lines = [f"byte pos[{discs}];", "active proctype mover() {", "  do"]
    for disc in range(discs):
        smaller = " | ".join(f"(1<<pos[{other}])" for other in range(disc)) or "0"
        for pole in range(poles):
            free = f"((({smaller}) & ((1<<pos[{disc}]) | (1<<{pole}))) == 0)"
            lines.append(f"  :: d_step {{ (pos[{disc}] != {pole} && {free}) -> pos[{disc}] = {pole} }}")
    return "\n".join([*lines, "  od", "}"])


def dijkstra(count):
    """One transition for each read or write of a shared variable."""
    everyone = (1 << count) - 1
    lines = [
        f"byte k; bool b[{count}] = 1; bool c[{count}] = 1; byte critical;",
        f"active [{count}] proctype Participant() {{",
        "  byte t, left;",
        "IDLE: skip;",
        "ASK: b[_pid] = 0;",
        "LOOP: if :: k != _pid -> goto WAIT :: k == _pid -> goto CLAIM fi;",
        "WAIT: c[_pid] = 1;",
        "SEE: t = k;",
        "TURN: if :: d_step { b[t] -> t = 0 }; goto TAKE :: d_step { !b[t] -> t = 0 }; goto LOOP fi;",
        "TAKE: k = _pid; goto LOOP;",
        f"CLAIM: if :: d_step {{ true -> c[_pid] = 0; left = {everyone} & ~(1<<_pid) }} fi;",
        "SCAN: if",
    ]
    for other in range(count):
        bit = 1 << other
        lines += [
            f"  :: d_step {{ ((left & {bit}) && left != {bit} && c[{other}]) -> left = left & ~{bit} }}; goto SCAN",
            f"  :: d_step {{ (left == {bit} && c[{other}]) -> left = 0; critical++; assert(critical == 1) }}; goto IN",
            f"  :: d_step {{ ((left & {bit}) && !c[{other}]) -> left = 0 }}; goto LOOP",
        ]
    lines += ["  fi;", "IN: critical--;", "OUT: c[_pid] = 1;", "REST: b[_pid] = 1; goto IDLE", "}"]
    return "\n".join(lines)


def alloc(clients, tokens):
    """Clients of eight local states; a token is held in four of them."""
    return f"""byte free = {tokens};
active [{clients}] proctype Client() {{
C0: skip; C1: skip; C2: skip;
C3: d_step {{ free > 0 -> free--; assert(free <= {tokens}) }};
C4: skip; C5: skip; C6: skip;
C7: d_step {{ free++; assert(free <= {tokens}) }}; goto C0
}}"""


def phil(count):
    """All take the left fork first; the one deadlock is explored past."""
    return philosophers(count, "_pid", f"(_pid+1)%{count}")


def left(count):
    """Philosopher 0 takes the right fork first, so that there is no deadlock."""
    right = f"(_pid+1)%{count}"
    return philosophers(count, f"(_pid == 0 -> {right} : _pid)", f"(_pid == 0 -> _pid : {right})")


def philosophers(count, first, second):
    """Philosophers who take these forks."""
    return f"""bool fork[{count}];
active [{count}] proctype Philosopher() {{
P0: skip;
P1: d_step {{ !fork[{first}] -> fork[{first}] = 1 }};
P2: d_step {{ !fork[{second}] -> fork[{second}] = 1 }};
P3: skip;
P4: fork[{first}] = 0;
P5: fork[{second}] = 0; goto P0
}}"""
