"""A tiny training run on the simulator of the processor."""

import json
import tempfile
import unittest
from pathlib import Path

import torch

from krieg_learning import checkpoint, device, leg, plot, record
from krieg_learning.network import PLANES, Shape, forward, initial_weights
from krieg_learning.play import Execution, Play
from krieg_learning.policy import MEMORY
from krieg_learning.population import PREFERENCES, SELF_PLAY, training_population

CPU = torch.device("cpu")
SMALL = ["--device", "cpu", "--width", "32", "--layers", "1", "--heads", "2", "--no-evaluation",
         "--set", "games=32", "--set", "tries=32", "--set", "minibatch=256",
         "--set", "warmup_iterations=1", "--set", "snapshot_slots=1"]  # fmt: skip


def progress_of(folder: Path) -> list[dict]:
    lines = [json.loads(line) for line in (folder / "leg.jsonl").read_text().splitlines()]
    return [line for line in lines if line["type"] == "progress"]


def make_leg(test: unittest.TestCase, folder: Path, *more: str) -> leg.Leg:
    arguments = leg.parser().parse_args(["--out", str(folder), "--new", *SMALL, *more])
    made = leg.Leg(arguments, leg.parse_settings(arguments))
    test.addCleanup(made.log.close)
    return made


class TrainingTest(unittest.TestCase):
    def test_training_lowers_the_loss_of_the_belief_and_resumes(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            first = make_leg(self, folder)
            losses = []
            for _ in range(10):
                first.rollout.run()
                window = first.rollout.window()
                losses.append(first.learner.update(first.rollout.storage, window)["belief"])
            self.assertLess(losses[-1], 0.8 * losses[0])
            first.save(1.0)

            second = make_leg(self, folder)
            self.assertEqual(second.learner.tries, 10 * 32 * 32)
            for key, tensor in second.learner.weights.items():
                kept = first.learner.average[key].half().float()
                self.assertTrue(torch.equal(tensor, kept), key)

    def test_first_update_starts_at_the_ratio_one(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            trainer = make_leg(self, Path(name), "--set", "minibatch=100000")
            trainer.rollout.run()
            window = trainer.rollout.window()
            metrics = trainer.learner.update(trainer.rollout.storage, window)
            self.assertLess(abs(metrics["divergence"]), 1e-6)
            self.assertEqual(metrics["clipped"], 0)

    def test_bad_settings_are_rejected(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            with self.assertRaisesRegex(device.DeviceError, "no setting"):
                make_leg(self, Path(name), "--set", "pace=3")
            with self.assertRaisesRegex(checkpoint.CheckpointError, "cannot be read"):
                make_leg(self, Path(name), "--checkpoint", name + "/missing.net")

    def test_leg_writes_log_and_checkpoint_that_can_be_plotted_and_recorded(self) -> None:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            trainer = make_leg(self, folder)
            trainer.train(0.0)
            self.assertEqual(progress_of(folder), [])
            trainer.rollout.run()
            window = trainer.rollout.window()
            metrics = trainer.learner.update(trainer.rollout.storage, window)
            trainer.progress(metrics, trainer.rollout.counts(), {"tries/s": 1})
            line = progress_of(folder)[0]
            self.assertEqual(line["tries"], 32 * 32)
            drawn = plot.page(plot.read_lines([folder / "leg.jsonl"]))
            self.assertIn("<polyline", drawn)

            weights, _ = checkpoint.load(folder / "current.net")
            planes, scalars = record.played_inputs(weights, 4, 1)
            self.assertEqual(tuple(planes.shape), (4, 64, PLANES))
            outputs = forward(weights, planes, scalars, torch.float32)
            data = record.encode(planes, scalars, outputs, "current.net")
            header, _, rest = data.partition(b"\n")
            self.assertEqual(json.loads(header)["positions"], 4)
            size = 3072 + 64 + 4 * (4096 + 256 + 1 + 3 + 448)
            self.assertEqual(len(rest), 4 * size)


class PlayTest(unittest.TestCase):
    def play(self, games: int = 64) -> Play:
        torch.manual_seed(0)
        weights = initial_weights(Shape(16, 1, 2))
        population = training_population(games, 0.25, 0.25, 1, 0.5, CPU)
        simulator = device.simulator(
            device.build_simulator(CPU), CPU, games=games, seed=1, ruleset_weights=(1.0,) * 7,
            start_weights=(1.0, 0.0, 0.0), quiet_limit=90, max_plies=40,
        )  # fmt: skip
        return Play(simulator, population, weights, [weights], Execution(CPU))

    @torch.no_grad()
    def test_memory_of_a_new_game_is_the_start_position(self) -> None:
        play = self.play()
        for _ in range(150):
            play.observe()
            play.advance(play.decide())
            done = play.events.done != 0
            if done.any():
                fresh = play.memory[done]
                certain = torch.full((len(fresh), 2), 16 * 255)
                self.assertTrue(torch.equal(fresh.sum((2, 3)), certain))
                return
        self.fail("no game ended")

    @torch.no_grad()
    def test_observation_holds_the_mover_s_last_belief(self) -> None:
        play = self.play()
        play.observe()
        before = play.observation.mover.clone()
        belief = play.decide()
        play.advance(belief)
        for _ in range(40):
            play.observe()
            same = play.observation.mover == before
            seen = play.observation.planes[:, :, MEMORY]
            self.assertTrue(torch.equal(seen[same], belief.memory[same]))
            if not same.all():
                return
            belief = play.decide()
            play.advance(belief)
        self.fail("the turn never passed")

    def test_groups_and_kinds_fit_together(self) -> None:
        population = self.play(400).population
        kinds = population.kind
        self.assertTrue(bool((kinds[population.is_self_play] == 0).all()))
        scripted = kinds[population.is_scripted].unique().tolist()
        self.assertEqual(scripted, [1, 2, 3])
        self.assertEqual(kinds[population.is_network].unique().tolist(), [0, 4, 5, 6, 7, 8])
        mover = torch.zeros(400, dtype=torch.uint8)
        learns = population.learner_moves(mover)
        self.assertTrue(bool(learns[population.is_self_play].all()))
        self.assertTrue(bool((population.scripted_kinds(mover)[learns] == 0).all()))
        known = population.kind_bytes(mover)
        self.assertTrue(bool((known[~learns] == 0).all()))
        told = known.amax(1) != 0
        self.assertTrue(bool((known[told].argmax(1) == kinds[told]).all()))
        # A stranger is never announced.
        self.assertFalse(bool(told[kinds == PREFERENCES].any()))
        self.assertIn(SELF_PLAY, population.group().tolist())


if __name__ == "__main__":
    unittest.main()
