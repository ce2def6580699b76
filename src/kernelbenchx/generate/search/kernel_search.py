"""The search of one task: settings while a gain is expected, then rewrites by the model.

Deterministic: what is tried next follows from verdicts and times so far and from
`TaskContext.chance`; what runs side by side is compared when all of it has ended, the lowest number
first.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from kernelbenchx.catalog.statement import Statement
from kernelbenchx.core.evaluation import Evaluation
from kernelbenchx.core.outcome import Void
from kernelbenchx.core.performance import Unmeasured
from kernelbenchx.core.transcript import Message
from kernelbenchx.generate.allowance import AllowanceUse
from kernelbenchx.generate.drafts import fence_code
from kernelbenchx.generate.feedback import feedback, summary
from kernelbenchx.generate.judged_kernel import JudgedKernel
from kernelbenchx.generate.reply_program import program
from kernelbenchx.generate.search.headroom import bound_of, ceiling_of, compute_peak_share
from kernelbenchx.generate.search.ideas import next_ideas, symptoms, templates_of
from kernelbenchx.generate.search.log_speed import LogSpeed
from kernelbenchx.generate.search.prior import Bottleneck, make_prior
from kernelbenchx.generate.search.proposals import Proposal, propose
from kernelbenchx.generate.search.rewrite_feedback import slow_words, tried_words
from kernelbenchx.generate.search.setting_space import SettingSpace
from kernelbenchx.generate.search.speed_estimate import speed_of
from kernelbenchx.generate.search.trials import SettingTrial, Trials, best_of
from kernelbenchx.generate.task_context import TaskContext

REWRITE = "search_rewrite"
ANSWER = "answer"
BASES = 3
"""Sources whose settings are searched at the same time: the fastest."""
LEFTOVER = 0.1
"""Of what a setting must promise: where no rewrite can follow, less is worth a try."""


@dataclass(frozen=True, kw_only=True)
class SearchPlan:
    """The parameters of a search."""

    side_by_side: int
    rewrites: int
    """Asked for at once."""
    worth: float
    """Expected gain of log speed below which a setting is not tried."""
    near: float
    """Share of the GPU's peak at which the search stops."""
    untimed: int
    """Settings tried at most where no clock is read."""
    temperature: float | None


@dataclass(frozen=True)
class _PlannedTrial:
    """A source to be judged, and where it comes from."""

    space: SettingSpace
    trial: tuple[int, ...]
    source: str
    parent: str
    path: str
    idea: str = ""


@dataclass
class KernelSearch:
    """Begins with a kernel that is right, ends with the answer."""

    plan: SearchPlan
    statement: Statement
    context: TaskContext
    spent: AllowanceUse
    round: int
    """Of the next attempts."""
    trials: Trials = field(default_factory=Trials)
    spaces: list[SettingSpace] = field(default_factory=list)
    verdicts: dict[str, Evaluation] = field(default_factory=dict)
    gains: dict[str, list[float]] = field(default_factory=dict)
    """What each direction brought."""
    settings: int = 0
    bound: Bottleneck = Bottleneck.UNKNOWN

    def run(self, first: JudgedKernel) -> None:
        """Until the allowance is spent, the limit is near, or nothing promises a gain."""
        self.bound = bound_of(first.evaluation)
        space = SettingSpace.of(first.source)
        self._remember(_PlannedTrial(space, space.start, first.source, "", ""), first)
        while self._left > 0 and not self._is_done():
            self._look_further()
            wanted = self._next()
            if not wanted:
                break
            self._judge(wanted)
        self._answer()

    @property
    def _left(self) -> int | float:
        """Evaluations; one is kept for the answer."""
        return self.spent.evaluations_left - 1

    def _answer(self) -> None:
        """The method's answer for the task, measured once more and on its own: the highest of many
        noisy numbers is too high, and this one did not choose it."""
        best = self.trials.best
        if best is not None and len(self.trials.all) > 1:
            self.context.judge(ANSWER, best.source, round=self.round, parent=best.name)
            self.spent.count_evaluation()

    def _next(self) -> list[_PlannedTrial]:
        can_rewrite = self._measured and self.spent.requests_left > 0
        leftover = self._measured and not can_rewrite
        wanted = self._next_settings(self.plan.worth * (LEFTOVER if leftover else 1.0))
        while not wanted and can_rewrite:
            wanted = self._rewrites()
            can_rewrite = self.spent.requests_left > 0
        return wanted

    @property
    def _best(self) -> SettingTrial:
        best = self.trials.best
        assert best is not None
        return best

    @property
    def _speed(self) -> LogSpeed:
        speed = self._best.speed
        assert speed is not None
        return speed

    @property
    def _measured(self) -> bool:
        return self.trials.best is not None and self._speed.measured

    def _is_done(self) -> bool:
        """Nothing right is left to compare, or no more than noise is left to gain."""
        if self.trials.best is None:
            return True
        return compute_peak_share(self.verdicts[self._best.name]) >= self.plan.near

    def _look_further(self) -> None:
        """Where the best of a space opens more than the space has, its own choices come next."""
        for space in list(self.spaces):
            best = best_of(self.trials.of(space))
            if best is None or best.point == space.start or not space.opens(best.point):
                continue
            inner = SettingSpace.of(best.source, space.family)
            if all(inner.digest != known.digest for known in self.spaces):
                self.spaces.append(inner)
                self.trials.add(replace(best, space=inner, point=inner.start))

    def _next_settings(self, worth: float) -> list[_PlannedTrial]:
        """The most promising settings of the fastest sources."""
        count = int(min(self.plan.side_by_side, self._left))
        if not self._measured:
            count = min(count, self.plan.untimed - self.settings)
        if count <= 0:
            return []
        ceiling = ceiling_of(self.verdicts[self._best.name], self._speed)
        found: list[tuple[Proposal, SettingSpace, SettingTrial]] = []
        for space, base in self._bases():
            proposals = propose(
                self.trials,
                space,
                count,
                self.context.chance,
                prior=make_prior(self.bound),
                ceiling=ceiling,
            )
            found += [(one, space, base) for one in proposals if one.gain >= worth]
        found.sort(key=lambda one: -round(one[0].gain, 9))
        self.settings += len(found[:count])
        return [
            _PlannedTrial(
                space,
                proposal.point,
                space.source(proposal.point),
                base.name,
                f"round {self.round}/setting {number}",
            )
            for number, (proposal, space, base) in enumerate(found[:count])
        ]

    def _bases(self) -> list[tuple[SettingSpace, SettingTrial]]:
        bases = [(space, best_of(self.trials.of(space))) for space in self.spaces]
        right = [(space, best) for space, best in bases if best is not None]
        right.sort(key=lambda one: -(one[1].speed.value if one[1].speed else 0.0))
        return right[:BASES]

    def _rewrites(self) -> list[_PlannedTrial]:
        """What the model makes of the best file in the directions that the numbers suggest."""
        best = self._best
        verdict = self.verdicts[best.name]
        left = min(self.spent.requests_left, self._left)
        ideas = next_ideas(symptoms(verdict), self.gains, int(min(self.plan.rewrites, left)))
        # By requests, not by rounds: how many of those came before depends on times.
        paths = [f"rewrite {self.spent.requests + number}" for number in range(len(ideas))]
        messages = [self._asking(best, verdict, idea) for idea in ideas]
        opening = self.context.prompts.opening(self.statement)
        replies = self.context.together(
            [
                partial(
                    self.context.ask,
                    path,
                    (*opening.messages, *asked),
                    temperature=self.plan.temperature,
                    templates=(*opening.templates, REWRITE, *templates_of(idea)),
                    left_out=opening.left_out,
                )
                for path, asked, idea in zip(paths, messages, ideas, strict=True)
            ]
        )
        wanted = []
        for path, idea, reply in zip(paths, ideas, replies, strict=True):
            self.spent.count_reply(reply)
            source = program(reply.text, self.statement)
            space = SettingSpace.of(source)
            wanted.append(_PlannedTrial(space, space.start, source, best.name, path, idea))
        return self._new(wanted)

    def _new(self, wanted: Sequence[_PlannedTrial]) -> list[_PlannedTrial]:
        """Without code that was tried: a file that comes back unchanged has gained nothing."""
        found: list[_PlannedTrial] = []
        for one in wanted:
            twins = any(one.space.digest == other.space.digest for other in found)
            if twins or not one.source.strip() or self.trials.knows(one.source):
                self.gains.setdefault(one.idea, []).append(0.0)
            else:
                found.append(one)
        return found

    def _asking(self, best: SettingTrial, verdict: Evaluation, idea: str) -> tuple[Message, ...]:
        prompts = self.context.prompts
        words = prompts.fill(
            REWRITE,
            feedback=feedback(verdict, best.source, self.statement),
            slow=slow_words(verdict, self.statement),
            tried=tried_words(self.trials.all),
            idea=prompts.fill(idea).strip(),
            structure="".join(f"\n{prompts.fill(one).strip()}" for one in templates_of(idea)[1:]),
        )
        return (Message("assistant", fence_code(best.source)), Message("user", words.strip()))

    def _judge(self, wanted: Sequence[_PlannedTrial]) -> None:
        """All side by side; remembered in order."""
        before = self._speed
        judged = self.context.together(
            [partial(self._judge_one, one, number) for number, one in enumerate(wanted)]
        )
        for one, verdict in zip(wanted, judged, strict=True):
            self.spent.count_evaluation()
            speed = self._remember(one, verdict)
            if one.idea:
                gain = 0.0 if speed is None else max(0.0, speed.low - before.low)
                self.gains.setdefault(one.idea, []).append(gain)
        self.round += 1

    def _judge_one(self, one: _PlannedTrial, number: int) -> JudgedKernel:
        judged = self.context.judge(
            one.path, one.source, round=self.round, sample=number, parent=one.parent
        )
        return judged.with_evaluation()

    def _remember(self, one: _PlannedTrial, judged: JudgedKernel) -> LogSpeed | None:
        verdict = judged.evaluation
        self.verdicts[judged.name] = verdict
        speed = speed_of(judged, self.bound)
        unmeasured = isinstance(verdict.own_performance, Unmeasured)
        self.trials.add(
            SettingTrial(
                one.space,
                one.trial,
                one.source,
                speed,
                judged.name,
                one.idea,
                summary(verdict),
                isinstance(verdict.outcome, Void) or unmeasured,
            )
        )
        if speed is not None and one.space not in self.spaces:
            self.spaces.append(one.space)
        return speed
