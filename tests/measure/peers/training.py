"""The training loop of `retrial_training rate` as a user of PyTorch writes it: modules, autograd, torch.optim.SGD.
  training.py MODEL CHANNELS SIDE BATCH ROWS EPOCHS
"""
import json, sys, time
import torch
from torch import nn
import torch.nn.functional as F


class Mlp(nn.Module):
    def __init__(self, inputs, hidden):
        super().__init__()
        self.fc1, self.classifier = nn.Linear(inputs, hidden), nn.Linear(hidden, 10)

    def forward(self, x):
        return self.classifier(F.relu(self.fc1(x.flatten(1))))


class Cnn(nn.Module):
    def __init__(self, channels, w, side):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(channels, w, 3, padding=1, bias=False), nn.BatchNorm2d(w)
        self.conv2, self.bn2 = nn.Conv2d(w, 2 * w, 3, padding=1, bias=False), nn.BatchNorm2d(2 * w)
        self.conv3, self.bn3 = nn.Conv2d(2 * w, 2 * w, 3, padding=1, bias=False), nn.BatchNorm2d(2 * w)
        self.classifier = nn.Linear(2 * w * (side // 4) ** 2, 10)

    def forward(self, x):
        x = F.relu(self.bn1(self.conv1(x)))
        x = F.max_pool2d(F.relu(self.bn2(self.conv2(x))), 2)
        x = F.max_pool2d(F.relu(self.bn3(self.conv3(x))), 2)
        return self.classifier(x.flatten(1))


class Block(nn.Module):
    def __init__(self, inputs, outputs, stride):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(inputs, outputs, 3, stride, 1, bias=False), nn.BatchNorm2d(outputs)
        self.conv2, self.bn2 = nn.Conv2d(outputs, outputs, 3, 1, 1, bias=False), nn.BatchNorm2d(outputs)
        self.shortcut = nn.Sequential()
        if stride != 1 or inputs != outputs:
            self.shortcut = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x):
        return F.relu(self.bn2(self.conv2(F.relu(self.bn1(self.conv1(x))))) + self.shortcut(x))


class ResNet(nn.Module):
    def __init__(self, channels, depth):
        super().__init__()
        self.conv1, self.bn1 = nn.Conv2d(channels, 16, 3, 1, 1, bias=False), nn.BatchNorm2d(16)
        blocks, inputs = [], 16
        for stage, outputs in enumerate((16, 32, 64)):
            for b in range((depth - 2) // 6):
                blocks.append(Block(inputs, outputs, 2 if stage > 0 and b == 0 else 1))
                inputs = outputs
        self.blocks, self.classifier = nn.Sequential(*blocks), nn.Linear(64, 10)

    def forward(self, x):
        return self.classifier(self.blocks(F.relu(self.bn1(self.conv1(x)))).mean((2, 3)))


def model_of(name, channels, side):
    if name.startswith("mlp:"):
        return Mlp(channels * side * side, int(name[4:]))
    if name.startswith("cnn"):
        return Cnn(channels, int(name[3:]), side)
    if name.startswith("resnet") and name.endswith("b"):
        return ResNet(channels, int(name[6:-1]))
    raise SystemExit(f"no peer for {name}")


def main():
    name, channels, side, batch, rows, epochs = sys.argv[1], *map(int, sys.argv[2:])
    torch.set_num_threads(1)
    torch.manual_seed(1)
    images, labels = torch.rand(rows, channels, side, side), torch.arange(rows) % 10
    model = model_of(name, channels, side)
    optimiser = torch.optim.SGD(model.parameters(), lr=.05, momentum=.9, weight_decay=5e-4, nesterov=True)

    def epoch():
        order = torch.randperm(rows)
        for begin in range(0, rows, batch):
            places = order[begin:begin + batch]
            optimiser.zero_grad()
            F.cross_entropy(model(images[places]), labels[places]).backward()
            optimiser.step()

    epoch()
    begin = time.process_time()
    for _ in range(epochs):
        epoch()
    print(json.dumps({"model": name, "images": rows * epochs, "cpu_s": time.process_time() - begin}))


main()
