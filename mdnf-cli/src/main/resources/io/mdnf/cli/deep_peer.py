"""The step of `mdnf bench vae` in PyTorch: images of 784 pixels in batches of 256, D = 20 variables of K = 10 categories,
layers 784-512-256 normalised over the batch and their mirror, posterior and prior that look at earlier variables through
128 hidden units, the second-order gradient of drawn codes with its middle at temperature 3, Adam 0.003.

    python3 deep_peer.py THREADS SECONDS

prints one line of key=value pairs: the median over blocks of steps per second, processor time of a step."""
import os
import statistics
import sys
import time

THREADS, SECONDS = int(sys.argv[1]), float(sys.argv[2])
# before PyTorch is loaded, which looks at them once
os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = str(THREADS)
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
import torch
from torch import nn
from torch.nn import functional

torch.set_num_threads(THREADS)
torch.set_flush_denormal(True)
torch.manual_seed(1)
BATCH, PIXELS, LATENTS, CATEGORIES, LOOKING, TEMPERATURE, BLOCK = 256, 784, 20, 10, 128, 3.0, 0.4


class Looking(nn.Module):
    """Logits [n, D, K] of every variable given those before it, and features [n, m] if there are any."""

    def __init__(self, features, scale):
        super().__init__()
        self.rows = nn.Parameter(torch.randn(LATENTS, CATEGORIES, LOOKING) * LATENTS ** -0.5)
        self.out = nn.Parameter(torch.randn(LATENTS, LOOKING, CATEGORIES) * scale * LOOKING ** -0.5)
        self.start = nn.Parameter(torch.zeros(LOOKING))
        self.bias = nn.Parameter(torch.zeros(LATENTS, CATEGORIES))
        self.to_hidden = nn.Linear(features, LOOKING, bias=False) if features else None
        self.to_logits = nn.Linear(features, LATENTS * CATEGORIES, bias=False) if features else None

    def given(self, features):
        if features is None:
            return self.start.unsqueeze(0), self.bias.unsqueeze(0)
        own = self.to_logits(features).view(-1, LATENTS, CATEGORIES)
        return self.start + self.to_hidden(features), self.bias + own

    def logits(self, codes, start, own):
        each = torch.bmm(codes.transpose(0, 1), self.rows)
        earlier = each.cumsum(0) - each
        return own + torch.bmm(functional.relu(earlier + start), self.out).transpose(0, 1)

    @torch.no_grad()
    def draw(self, start, own):
        sums = start.clone()
        perturbed = own - torch.empty_like(own).exponential_().log_()
        codes = torch.empty(len(own), LATENTS, dtype=torch.long)
        for d in range(LATENTS):
            chosen = torch.addmm(perturbed[:, d], functional.relu(sums), self.out[d]).argmax(1)
            codes[:, d] = chosen
            sums += self.rows[d][chosen]
        return functional.one_hot(codes, CATEGORIES).float()


def layers(*widths):
    parts = []
    for before, after in zip(widths, widths[1:]):
        parts += [nn.Linear(before, after), nn.BatchNorm1d(after, momentum=0.05), nn.ReLU(inplace=True)]
    return parts


encoder = nn.Sequential(*layers(PIXELS, 512, 256))
decoder = nn.Sequential(*layers(LATENTS * CATEGORIES, 256, 512), nn.Linear(512, PIXELS))
posterior, prior = Looking(256, 0.5), Looking(0, 0.05)
parameters = [p for part in (encoder, decoder, posterior, prior) for p in part.parameters()]
optimiser = torch.optim.Adam(parameters, 0.003)


def second_order(codes, logits):
    """The codes, with the gradient 2 J((softmax(logits / tau) + codes) / 2) - J(softmax(logits)) / 2."""
    with torch.no_grad():
        middle = ((logits / TEMPERATURE).softmax(-1) + codes).mul_(0.5).clamp_min_(1e-20).log_() - logits
    smooth = 2 * (logits + middle).softmax(-1) - 0.5 * logits.softmax(-1)
    return codes + (smooth - smooth.detach())


def loss(images):
    start, own = posterior.given(encoder(images))
    codes = posterior.draw(start.detach(), own.detach())
    logits = posterior.logits(codes, start, own)
    carried = second_order(codes, logits)
    log_q = logits.log_softmax(-1)
    log_p = prior.logits(carried, *prior.given(None)).log_softmax(-1)
    divergence = (log_q.exp() * (log_q - log_p)).sum()
    pixels = decoder(carried.flatten(1))
    return (functional.binary_cross_entropy_with_logits(pixels, images, reduction="sum") + divergence) / len(images)


data = torch.rand(8, BATCH, PIXELS)
made = 0


def step():
    global made
    value = loss(data[made % len(data)])
    optimiser.zero_grad(set_to_none=True)
    value.backward()
    optimiser.step()
    made += 1
    return value.item()


begin = time.perf_counter()
while made < 3 or time.perf_counter() - begin < 2:
    last = step()
per_block = max(1, round(BLOCK * made / (time.perf_counter() - begin)))
rates, processor = [], []
for _ in range(max(1, round(SECONDS / BLOCK))):
    clock, cpu = time.perf_counter(), time.process_time()
    for _ in range(per_block):
        last = step()
    rates.append(per_block / (time.perf_counter() - clock))
    processor.append(1e3 * (time.process_time() - cpu) / per_block)
print("torch%s vae-autoregressive-D20-K10 steps_per_s=%.2f cpu_ms_per_step=%.4f threads=%d loss=%.2f" % (
    torch.__version__, statistics.median(rates), statistics.median(processor), THREADS, last))
