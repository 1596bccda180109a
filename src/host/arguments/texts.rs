//! Texts that stand below the options in the help of subcommands.

/// Calls of all subcommands.
pub(super) const EXAMPLES: &str = "\
Examples:
  cspsym check cspm/dijkstra/dijkstra.csp
      decide every assertion of a script
  cspsym check hanoi.csp -D POLES=4 -D DISCS=6 --assertion 1
      decide its first assertion for another size
  cspsym refine 'RUN(Events)' 'P ||| Q' script.csp
      decide RUN(Events) [T= P ||| Q, both in the scope of the script
  cspsym eval 'card(Events)' script.csp
      print the value of an expression
  cspsym type union script.csp
      print the type of an expression: Set a => ({a}, {a}) -> {a}
  cspsym typecheck script.csp
      print what is wrong with a script, and run nothing
  cspsym machine SYSTEM script.csp --format dot | dot -Tsvg
      draw the structured machine of a process
  cspsym graph SYSTEM script.csp --format svg > system.svg
      draw the transition system of a process
  cspsym symmetry 'RUN(Events)' HANOI cspm/hanoi/hanoi.csp
      explain which symmetries a check can use, and what breaks the others
  cspsym step cspm/vending/vending.csp VM
      walk a process step by step
  cspsym explore cspm/philosophers/philosophers.csp
      open a page in the browser to see and walk a script
  cspsym explain type-mismatch
      explain the message error[type-mismatch], with an example before and after";

/// What `graph` is for.
pub(super) const GRAPHS: &str = "\
EXPR is a process expression in the scope of FILE. Its graph has a state for each term that the process can become, \
numbered from 0, the initial one, breadth first. No two states are made one unless --compress says so. The formats have
  aut   events, tau and tick: what mCRL2, CADP and others read, and the function aut of a script
  dot   terms of states too, and which event a τ was before it was hidden; for Graphviz
  json  all of that for programs, in one object
  svg   a drawing that any browser shows, in light and dark; where terms are long, point at a state

If there are more states than --max-states (1000000), --max-nodes or --depth allow, states with transitions to others are marked, \
and the exit status is 3. The format aut cannot mark them: nothing is printed then.

Examples:
  cspsym graph HANOI cspm/hanoi/hanoi.csp --format svg > hanoi.svg
  cspsym graph HANOI cspm/hanoi/hanoi.csp --format aut > hanoi.aut
      then, with the tools of mCRL2: ltsinfo hanoi.aut
  cspsym graph 'P [|A|] Q' script.csp --format dot --compress wbisim | dot -Tsvg
      up to weak bisimilarity
  cspsym graph SYSTEM script.csp --format svg --depth 3
      what can happen in the first three steps
  cspsym graph HANOI cspm/hanoi/hanoi.csp --format json --orbits
      the states that a check searches, and which of them symmetries take to each other

`cspsym help graphs` is a chapter on all of this.";

/// What `symmetry` prints.
pub(super) const SYMMETRY: &str = "\
A symmetry renames events so that specification and implementation stay what they are: if (B C) is one, \
whatever can be done with B and C can be done with C and B. Of all states that symmetries take to each other \
a check needs to search only one, the representative. This subcommand looks for symmetries and searches nothing. \
It prints
  - generators, from which all others are made, in cycles: (B C D) renames B to C, C to D and D to B
  - which values of each type may be renamed into each other
  - orbits: the leaves of the machine, and the events, that symmetries take to each other
  - the algorithm that a check would use, and why not the others
  - what was tried and is no symmetry, with the place in the script that breaks it

With --for-all N it shows another kind of symmetry: what a state looks like if only a few of the processes are in sight, which is the \
same for every number of them. It decides the assertion as check does, with the same exit status, and prints these views as a table.

Examples:
  cspsym symmetry 'RUN(Events)' HANOI cspm/hanoi/hanoi.csp --fix-initial
  cspsym symmetry --assertion 2 cspm/dijkstra/dijkstra.csp -D N=3
  cspsym symmetry SPEC SYSTEM script.csp --symmetry '(B C),(B C D)'
      only what these generate; they are verified first
  cspsym symmetry SPEC SYSTEM script.csp --format dot | dot -Tsvg
      draw the leaves, with an arrow from each state to the one a generator takes it to
  cspsym symmetry --assertion 3 cspm/fischer/fischer.csp --for-all N
      the views that show that the assertion holds for every number of processes

`cspsym help symmetries` is a chapter on all of this.";

/// How `step` is used.
pub(super) const STEPPING: &str = "\
A walk begins at the start of PROCESS, or with --assertion at the end of the counterexample of that assertion, if it has one. \
It shows the steps that can be taken, with the components that take part in each; then it reads requests from standard input, one a line:
  - a number, or the beginning of an event, takes a step; back and goto go back, and forward again
  - why EVENT says who would take part in an event, and who of them does not offer to
  - who, refuses, path, save and help say more
  - orbit lists the images of a state under symmetries; apply '(B C)' moves the walk by one, without the quotes
  - reps shows what a search with symmetries stores after each step, its representatives; real shows the real run again

Nothing is searched for a walk, and only for symmetries it is compiled, so that systems of any size open at once. Choices that look alike have numbers, such as \
τ #2, which do not depend on what was looked at before.

Examples:
  cspsym step cspm/vending/vending.csp VM
  cspsym step --assertion 3 cspm/philosophers/philosophers.csp
  echo 'why enter.P1' | cspsym step cspm/dijkstra/dijkstra.csp DIJKSTRA

`cspsym help walks` is a chapter on this.";

/// What exit statuses mean for `step`.
pub(super) const STEP_STATUSES: &str = "\
Exit status:
  0  the requests ended
  2  an error in the script, in the call, or in the saved walk
  3  a limit or Ctrl-C ended the walk, or left the assertion undecided";

/// What `explore` serves.
pub(super) const EXPLORING: &str = "\
The page has an editor with the messages of the program, the assertions with their verdicts, walks with a lane for each component, the graph \
of a process, its structured machine, and the symmetries of an assertion. It is served to this machine alone, at an address that nobody else \
knows; nothing is loaded from elsewhere, and no file is read from outside the folder of the script and what it includes. Only Save writes, and \
only over what was read.

Exit status:
  0  the page was exported
  2  the script cannot be read, or the page cannot be served or exported
Ctrl-C ends it.

`cspsym help explorer` is a chapter on this.";

/// What `api` is for.
pub(super) const REQUESTS: &str = "\
A request is one line with a JSON object: its method, the script, and what the method needs. The answer is one line too:

  {\"id\": 1, \"method\": \"at\", \"file\": \"vending.csp\", \"process\": \"VM\", \"path\": [\"coin\"]}

Requests do not depend on each other. Files are read from the disk, or from the key files of the request. \
`cspsym help requests` lists the methods, and `cspsym help json --schema` has the schema of the answers.

Exit status:
  0  the requests ended";

/// What `explain` is for.
pub(super) const EXPLANATIONS: &str = "\
Every message has a code, which stands in brackets at its beginning:

  error[unguarded-recursion]: this process calls itself before it does any event

`cspsym explain unguarded-recursion` then says what rule of CSPm, or which limit, is behind it, why there is that rule, \
and what usually goes wrong; and it shows a small script that gives the message, and how that is put right.

Examples:
  cspsym explain
      list all codes, with a line on each
  cspsym explain unguarded-recursion
  cspsym explain 'error[unguarded-recursion]'
      the same, copied from the message

Exit status:
  0  it was explained
  2  there is no such code";

/// How `help` shows a chapter.
pub(super) const READING: &str = "\
On a terminal a chapter is shown by the program that the variable PAGER names, by default `less -FRX`. Elsewhere it is printed as \
it is, in Markdown.

Exit status:
  0  the text was printed
  2  there is no such topic";

/// What exit statuses mean.
pub(super) const EXIT_STATUSES: &str = "\
Exit status:
  0  all assertions hold; the value, machine or symmetries were printed
  1  some assertion fails
  2  an error in a script or in the call (whatever the other assertions say)
  3  a limit, Ctrl-C or an unsupported feature left something undecided, and nothing fails";

/// In what sense counterexamples are shortest.
pub(super) const SHORTEST: &str = "\
A counterexample is the same whatever other assertions are asked. Without compressions and partial order reduction it is a shortest one: \
no run comes in fewer steps, internal ones counted, to where something is wrong. From there a divergence takes few steps to a cycle and \
once round it; for nondeterminism the trace has as few events as any, unless it is asked for in [F].";

/// What `--explain` does in `refine`.
pub(super) const REFINE_EXPLAIN: &str = "\
Add to a counterexample a table of what every component did in it, was at each step and can do next, those inside compressions too, and of what \
the specification allowed; and who waits for whom, where the process comes to rest";

/// What `--for-all` does in `refine`.
pub(super) const REFINE_FOR_ALL: &str = "\
Decide the refinement for every value from 1 on of the constant N, which is the number of identities: by small instances, and then by views \
of a few of them, or by induction over the links of a chain; `N >= 2` for every value from 2 on (see cspsym help every-n)";

/// How types are written.
pub(super) const TYPES: &str = "\
Types:
  Int, Bool, Char, Proc, Event, and the datatypes of the script
  {t} sets, <t> sequences, (t, u) tuples, (| k => v |) maps, (t, u) -> v functions
  t => u  something that lacks a field: with a t dotted to its right it is a u
  t =>* u  the same, and it is open how many fields are lacking
  t.u     what is dotted together without being something whole
  Set a => ...  for every a whose values can be put into sets; likewise Eq, Ord, Complete, Yieldable";

/// What `lsp` offers.
pub(super) const SERVER: &str = "\
An editor starts this by itself; `cspsym help editors` says what to tell it. It gets
  - messages while one types, those of included files too
  - types and comments of names, and where they are defined
  - an outline, and the names that could be written at a place
  - above each assertion a command that checks it, and then its verdict and counterexample

Files that are open are read from the editor, whether they are saved or not. How much a check may take the editor says in \
initializationOptions: timeout in seconds (60), maxStates (10000000) and maxLeafStates (1000000); null lifts the first two. With includeRoot \
nothing is included from outside of that folder. termination is \"event\", as in FDR, or \"signal\".

Exit status:
  0  the editor has shut the server down
  1  the editor went away without a word";

/// What a file may be.
pub(super) const PLACES: &str = "FILE is a script in CSPm, or - for standard input.";

/// How a lab goes.
pub(super) const LABS: &str = "\
A student says `cspsym lab start NAME`, reads lab.md there, writes into start.csp, and asks with `cspsym lab check`. Some tasks first want a \
prediction. A task is checked for 60 seconds at most, unless --timeout-each says otherwise. A lecturer says `cspsym lab grade DIR --csv`; `cspsym help labs` \
has more.

Exit status:
  0  it was done; of check: the task is done, or all tasks that are not there to stretch
  1  of check: a task is to do, or a prediction is missing
  2  an error in the student's script or in the call
  3  a limit left something undecided, and nothing is to do";
